// SPDX-License-Identifier: GPL-3.0-or-later
// The template language against Python's jinja2: tests/data/jinja/cases.json, made by make_cases.py beside
// it.
#include "engine/text/jinja/template.h"
#include "tests/support/reference.h"

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
            dict.set(entry.key().toStdString(), toValue(entry.value()));
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
    void allThatIsMadeIsCharged_data();
    void allThatIsMadeIsCharged();
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
    const auto result = rendered(source.toStdString());
    QVERIFY2(!result, result ? result->bytes().substr(0, 200).c_str() : "");
}

/// Each makes or looks at more than the budget allows, in a way that once was charged too little or nothing.
void TestJinja::allThatIsMadeIsCharged_data()
{
    QTest::addColumn<QByteArray>("source");
    const auto row = [](const char* name, const std::string& source) {
        QTest::newRow(name) << QByteArray::fromStdString(source);
    };
    const auto repeated = [](int times, const std::string& what) {
        return "{% for i in range(" + std::to_string(times) + ") %}" + what + "{% endfor %}";
    };
    const auto joined = [](int count, const auto& part) {
        std::string text;
        for (int i = 0; i < count; ++i)
            text += part(std::to_string(i));
        return text;
    };
    const std::string big = "{% set big = 'x' * 5000000 %}";
    const std::string list = "{% set l = [1] * 100000 %}";
    const std::string tuples = "{% set ns = namespace(t=('a', 'b')) %}" +
                               repeated(23, "{% set ns.t = (ns.t, ns.t) %}"); // 2^24 leaves
    const std::string dict =
        "{% set d = {" + joined(5000, [](const std::string& i) { return i + ":0,"; }) + "} %}";

    row("batches that are filled up",
        "{% set ns = namespace(l=[]) %}" + repeated(40, "{% set ns.l = ns.l + [[1]|batch(100000, 0)] %}"));
    row("batches of one", repeated(6, "{% set x = range(99999)|batch(1) %}"));
    row("empty slices", repeated(1500, "{% set x = []|slice(1000, 0) %}"));
    row("indents of nothing", repeated(20, "{{ ''|indent(16000000)|length }}"));
    row("widths in '%'", repeated(20, "{% set x = '%15000000d' % 1 %}"));
    row("hidden texts in '%'", big + "{{ ('%.0s' * 600) % ((big,) * 600) }}");
    row("names in '%'", dict + "{% set d = dict(**d) %}{{ ('%(4999)s' * 20000) % d }}");
    row("captured texts", big + repeated(20, "{% set x %}{{ big }}{% endset %}"));
    row("many small texts", repeated(5, "{% set x = range(99999)|map('string')|list %}"));
    row("many lines", "{% set t = 'a\n' * 100000 %}" + repeated(12, "{% set x = t.splitlines() %}"));
    row("many words", "{% set t = 'a ' * 100000 %}" + repeated(12, "{% set x = t.rsplit() %}"));
    row("many parts", "{% set t = 'a,' * 100000 %}" + repeated(12, "{% set x = t.split(',') %}"));
    row("many ranges of message text", repeated(10, "{% set x = (c ~ 'x') * 1000000 %}"));
    row("spread arguments", list + repeated(40, "{% set x = cycler(*l) %}"));
    row("complaints", big + repeated(20, "{% set x = ''|attr(big) %}"));
    row("missing attributes", repeated(5, "{% set x = range(99999)|map(attribute='x')|list|length %}"));
    row("long paths", "{% set p = '0.' * 10000 ~ '0' %}{{ (['a'] * 1000)|map(attribute=p)|list|length }}");
    row("names in kept scopes", repeated(20'000, joined(60, [](const std::string& i) {
                                                     return "{% set a" + i + " = 1 %}";
                                                 }) + "{% macro m() %}{% endmacro %}"));
    row("empty texts joined", "{% set l = [''] * 1000000 %}" + repeated(20, "{% set x = ''.join(l) %}"));
    row("large sets to strip", "{{ ('a' * 100000).strip('b' * 100000 ~ 'a')|length }}");
    row("large texts to find", big + repeated(40, "{% set x = 'x'.rfind(big) %}"));
    row("tuples of prefixes", tuples + "{{ 'x'.startswith(ns.t) }}");
    row("tuples as keys", tuples + "{% set d = {ns.t: 1} %}");
    row("equal dictionaries", dict + repeated(5, "{% set x = d == d %}"));
    row("large namespaces", dict + repeated(5, "{% set x = namespace(**d) %}"));
}

void TestJinja::allThatIsMadeIsCharged()
{
    QFETCH(QByteArray, source);
    const auto result = rendered(source.toStdString(), {{"c", jinja::Text("u", true)}});
    QVERIFY2(!result, result ? result->bytes().substr(0, 200).c_str() : "");
    const std::string what = result.error().what;
    QVERIFY2(what == "the template takes too much memory" || what == "the template takes too many steps",
             what.c_str());
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
    QVERIFY(!rendered(source));
}

void TestJinja::invalidUtf8PassesThrough()
{
    QCOMPARE(rendered("\xff{{ '\xfe' }}\xc3")->bytes(), std::string("\xff\xfe\xc3"));
}

QTEST_APPLESS_MAIN(TestJinja)
#include "test_jinja.moc"
