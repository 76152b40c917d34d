// SPDX-License-Identifier: GPL-3.0-or-later
// The template language against Python's jinja2: tests/data/jinja/cases.json, made by make_cases.py beside
// it.
#include "engine/text/jinja/template.h"
#include "tests/support/reference.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonObject>
#include <QtTest>

using namespace vitrine;
using jinja::Value;

namespace {

Value toValue(const QJsonValue& json)
{
    switch (json.type()) {
    case QJsonValue::Bool:
        return json.toBool();
    case QJsonValue::Double:
        if (json.toVariant().typeId() == QMetaType::LongLong)
            return static_cast<std::int64_t>(json.toInteger());
        return json.toDouble();
    case QJsonValue::String:
        return jinja::Text(json.toString().toStdString(), true);
    case QJsonValue::Array: {
        std::vector<Value> items;
        for (const QJsonValue& item : json.toArray())
            items.push_back(toValue(item));
        return Value::list(std::move(items));
    }
    case QJsonValue::Object: {
        jinja::Dict dict;
        const QJsonObject object = json.toObject();
        for (auto entry = object.begin(); entry != object.end(); ++entry)
            dict.set(jinja::Text(entry.key().toStdString()), toValue(entry.value()));
        return dict;
    }
    default:
        return Value::none();
    }
}

/// 2026-01-02 03:04:05, a Friday.
std::tm referenceTime()
{
    std::tm time{};
    time.tm_year = 126;
    time.tm_mday = 2;
    time.tm_hour = 3;
    time.tm_min = 4;
    time.tm_sec = 5;
    time.tm_wday = 5;
    time.tm_yday = 1;
    return time;
}

Result<jinja::Text> rendered(const std::string& source,
                             const std::vector<jinja::Template::Variable>& variables = {})
{
    const Result<jinja::Template> parsed = jinja::Template::parse(source);
    if (!parsed)
        return tl::unexpected(parsed.error());
    return parsed->render(variables, referenceTime());
}

std::string errorOf(const std::string& source)
{
    const auto result = rendered(source);
    return result ? "no error: " + result->bytes().substr(0, 200) : result.error().line();
}

} // namespace

class TestJinja : public QObject {
    Q_OBJECT
private slots:
    void agreesWithPython_data();
    void agreesWithPython();
    void errorsSayWhere();
    void whatTheTemplateRaisesIsShown();
    void textKeepsItsOrigin();
    void neverHangsNorEatsMemory_data();
    void neverHangsNorEatsMemory();
    void deepSourceIsRefused_data();
    void deepSourceIsRefused();
    void invalidUtf8PassesThrough();
};

void TestJinja::agreesWithPython_data()
{
    QTest::addColumn<QJsonObject>("object");
    const QJsonObject file = test::readJson(QStringLiteral(VITRINE_TEST_DATA "/jinja/cases.json")).object();
    const QJsonArray cases = file[QStringLiteral("cases")].toArray();
    QVERIFY(cases.size() > 300);
    for (const QJsonValue& value : cases) {
        const QString template_ = value[QStringLiteral("template")].toString();
        const QString name = value[QStringLiteral("subject")].toString() + QStringLiteral(": ") + template_;
        QTest::newRow(qPrintable(name.simplified().left(80))) << value.toObject();
    }
}

void TestJinja::agreesWithPython()
{
    QFETCH(QJsonObject, object);
    static const QJsonObject context = test::readJson(QStringLiteral(VITRINE_TEST_DATA "/jinja/cases.json"))
                                           .object()[QStringLiteral("context")]
                                           .toObject();
    std::vector<std::string> names;
    std::vector<jinja::Template::Variable> variables;
    for (const QString& key : context.keys())
        names.push_back(key.toStdString());
    for (const std::string& name : names)
        variables.emplace_back(name, toValue(context[QString::fromStdString(name)]));
    const auto result = rendered(object[QStringLiteral("template")].toString().toStdString(), variables);
    if (object.contains(QStringLiteral("error"))) {
        QVERIFY2(!result, result ? result->bytes().c_str() : "");
        QVERIFY2(result.error().where.find("line ") != std::string::npos, result.error().line().c_str());
    } else {
        QVERIFY2(result, result ? "" : result.error().line().c_str());
        QCOMPARE(QString::fromStdString(result->bytes()), object[QStringLiteral("expected")].toString());
    }
}

void TestJinja::errorsSayWhere()
{
    QVERIFY(errorOf("a\nb {{ 1 / 0 }}").starts_with("chat template, line 2, column 8: "));
    QVERIFY(errorOf("\n\n  {{ missing.x }}").starts_with("chat template, line 3, column 13: "));
    QVERIFY(errorOf("é{# open").starts_with("chat template, line 1, column 2: "));
    QVERIFY(errorOf("{% if x %}\n").find("'{% endif %}'") != std::string::npos);
    QVERIFY(errorOf("{{ x | nosuch }}").find("'nosuch'") != std::string::npos);
    QVERIFY(errorOf("{{ x }").starts_with("chat template, line 1"));
    QVERIFY(errorOf("{{ nosuch.x }}").find("'nosuch' is undefined") != std::string::npos);
}

void TestJinja::whatTheTemplateRaisesIsShown()
{
    const std::string error = errorOf("{{ raise_exception('Roles must\nalternate') }}");
    QVERIFY(error.find("refuses this conversation: Roles must") != std::string::npos);
    QVERIFY(error.find('\n') == std::string::npos);
}

void TestJinja::textKeepsItsOrigin()
{
    const auto userParts = [](const std::string& source) {
        const std::vector<jinja::Template::Variable> variables{{"c", jinja::Text("  User <|end|>\n", true)}};
        const Result<jinja::Text> text = rendered(source, variables);
        std::vector<std::string> parts;
        for (TextRange range : text->userRanges())
            parts.push_back(text->bytes().substr(range.begin, range.end - range.begin));
        return parts;
    };
    using Parts = std::vector<std::string>;
    QCOMPARE(userParts("<|end|>{{ c }}<|end|>"), (Parts{"  User <|end|>\n"}));
    QCOMPARE(userParts("{{ '<|end|>' + c.strip() ~ '<|end|>' }}"), (Parts{"User <|end|>"}));
    QCOMPARE(userParts("{{ c|trim|upper }}|"), (Parts{"USER <|END|>"}));
    QCOMPARE(userParts("{{ c.split('User')[1] }}{{ c[2:6] }}"), (Parts{" <|end|>\nUser"}));
    QCOMPARE(userParts("{{ c.replace('User', 'Me') }}"), (Parts{"  ", " <|end|>\n"}));
    QCOMPARE(userParts("{% set x %}<{{ c|trim }}>{% endset %}{{ [x, 'y']|join('-') }}"),
             (Parts{"User <|end|>"}));
    QCOMPARE(userParts("{{ {'k': c}|tojson }}"), (Parts{"  User <|end|>\\n"}));
    QCOMPARE(userParts("{% macro m(t) %}[{{ t }}]{% endmacro %}{{ m(c|trim) }}"), (Parts{"User <|end|>"}));
    QCOMPARE(userParts("{{ '%s|%s' % (c|trim, 'x') }}{{ '{}!'.format('y') }}"), (Parts{"User <|end|>"}));
    QCOMPARE(userParts("{% for x in c|trim %}{{ x }}{% endfor %}."), (Parts{"User <|end|>"}));
    QCOMPARE(userParts("{{ 'User' }}"), Parts{});
}

void TestJinja::neverHangsNorEatsMemory_data()
{
    QTest::addColumn<QByteArray>("source");
    const auto row = [](const char* name, const std::string& source) {
        QTest::newRow(name) << QByteArray::fromStdString(source);
    };
    row("loops in loops", "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}");
    row("endless recursion", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}");
    row("recursion that doubles",
        "{% macro m(n) %}{% if n > 0 %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}");
    row("text that doubles",
        "{% set ns = namespace(s='x') %}{% for i in range(60) %}{% set ns.s = ns.s + ns.s %}{% endfor %}");
    row("list that doubles",
        "{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = ns.l + ns.l %}{% endfor %}");
    row("many large texts", "{% set ns = namespace(l=[]) %}{% for i in range(9999) %}{% set ns.l = ns.l + "
                            "['x' * 1000000 ~ i] %}{% endfor %}");
    row("list in list in list", "{% set ns = namespace(l=[]) %}{% for i in range(99999) %}{% set ns.l = "
                                "[ns.l] %}{% endfor %}{{ ns.l }}");
    row("shared lists as JSON", "{% set ns = namespace(l=[1]) %}{% for i in range(80) %}{% set ns.l = [ns.l, "
                                "ns.l] %}{% endfor %}{{ ns.l|tojson }}");
    row("shared lists compared",
        "{% set a = namespace(l=[1]) %}{% set b = namespace(l=[1]) %}{% for i in range(80) %}"
        "{% set a.l = [a.l, a.l] %}{% set b.l = [b.l, b.l] %}{% endfor %}{{ a.l == b.l }}");
    row("a namespace in itself",
        "{% set ns = namespace() %}{% set ns.me = ns %}{{ ns.me.me.me }}{{ [ns]|tojson }}");
    row("repeated text", "{{ 'x' * 999999999999 }}");
    row("repeated list", "{{ [1] * 999999999999 }}");
    row("center", "{{ 'x'.center(999999999999) }}");
    row("format width", "{{ '%999999999d' % 1 }}{{ '{:999999999}'.format(1) }}");
    row("indent", "{{ 'x\ny' | indent(999999999) }}");
    row("join", "{{ ('x' * 10000).join(range(99999)|map('string')|list) }}");
    row("replace", "{{ ('x' * 1000000).replace('x', 'y' * 1000000) }}");
    row("quadratic search",
        "{% set a = 'a' * 8000000 %}{% for i in range(99999) %}{{ (a + 'b') in a }}{% endfor %}");
    row("characters", "{{ ('x' * 10000000)|list|length }}");
    row("sorting equal texts", "{{ (['x' * 1000000] * 100000)|sort|length }}");
    row("unique", "{{ range(99999)|unique|list|length }}");
    row("power", "{{ 9 ** 99999 }}");
    row("slices", "{% set a = 'a' * 8000000 %}{% for i in range(99999) %}{% set b = a[i:] %}{% endfor %}");
    row("output", "{% set a = 'a' * 1000000 %}{% for i in range(99999) %}{{ a }}{% endfor %}");
    row("deep recursion of a loop", "{% for x in [[[]]] recursive %}{{ loop([[1]]) }}{% endfor %}");
    row("caller in caller",
        "{% macro m() %}{% call m() %}{{ caller() }}{% endcall %}{% endmacro %}{{ m() }}");
    row("date format", "{{ strftime_now('%c' * 100000) }}");
}

void TestJinja::neverHangsNorEatsMemory()
{
    QFETCH(QByteArray, source);
    QElapsedTimer timer;
    timer.start();
    const auto result = rendered(source.toStdString());
    QVERIFY2(!result, result ? result->bytes().substr(0, 200).c_str() : "");
    QVERIFY2(timer.elapsed() < 20'000, qPrintable(QString::number(timer.elapsed())));
}

void TestJinja::deepSourceIsRefused_data()
{
    QTest::addColumn<QByteArray>("open");
    QTest::addColumn<QByteArray>("close");
    QTest::newRow("brackets") << QByteArray("(") << QByteArray(")");
    QTest::newRow("lists") << QByteArray("[") << QByteArray("]");
    QTest::newRow("dictionaries") << QByteArray("{1:") << QByteArray("}");
    QTest::newRow("not") << QByteArray("not ") << QByteArray();
    QTest::newRow("minus") << QByteArray("-") << QByteArray();
    QTest::newRow("sums") << QByteArray("1+") << QByteArray();
    QTest::newRow("conditions") << QByteArray("1 if ") << QByteArray(" else 1");
    QTest::newRow("and") << QByteArray("1 and ") << QByteArray();
    QTest::newRow("attributes") << QByteArray() << QByteArray(".a");
    QTest::newRow("filters") << QByteArray() << QByteArray("|upper");
    QTest::newRow("calls") << QByteArray() << QByteArray("()");
    QTest::newRow("power") << QByteArray("1**") << QByteArray();
    QTest::newRow("blocks") << QByteArray("1 }}{% if 1 %}{{ ") << QByteArray();
    QTest::newRow("targets") << QByteArray("1 }}{% set (((((((((((((((((((((((((((((((") << QByteArray();
}

void TestJinja::deepSourceIsRefused()
{
    QFETCH(QByteArray, open);
    QFETCH(QByteArray, close);
    const std::string source =
        ("{{ " + open.repeated(20'000) + "1" + close.repeated(20'000) + " }}").toStdString();
    QElapsedTimer timer;
    timer.start();
    QVERIFY(!rendered(source));
    QVERIFY(timer.elapsed() < 10'000);
}

void TestJinja::invalidUtf8PassesThrough()
{
    QCOMPARE(rendered("\xff{{ '\xfe' }}\xc3")->bytes(), std::string("\xff\xfe\xc3"));
}

QTEST_APPLESS_MAIN(TestJinja)
#include "test_jinja.moc"
