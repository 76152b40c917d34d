// SPDX-License-Identifier: GPL-3.0-or-later
// Real chat templates against what Python's jinja2 makes of them (shared/reference/templates).
#include "engine/text/jinja_template.h"
#include "tests/support/reference.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QtTest>

#include <ctime>

using namespace vitrine;

namespace {

/// 2026-01-02 03:04:05, local time, as the answers were made.
std::time_t referenceTime()
{
    std::tm local{};
    local.tm_year = 2026 - 1900;
    local.tm_mon = 0;
    local.tm_mday = 2;
    local.tm_hour = 3;
    local.tm_min = 4;
    local.tm_sec = 5;
    local.tm_isdst = -1;
    return std::mktime(&local);
}

std::vector<ChatMessage> messagesOf(const QJsonArray& array)
{
    std::vector<ChatMessage> messages;
    for (const QJsonValue& message : array)
        messages.push_back({message[QStringLiteral("role")].toString().toStdString(),
                            message[QStringLiteral("content")].toString().toStdString()});
    return messages;
}

} // namespace

class TestJinjaReference : public QObject {
    Q_OBJECT
private slots:
    void templatesGiveTheReferenceText_data()
    {
        QTest::addColumn<QString>("name");
        const QDir directory(test::referencePath(QStringLiteral("templates")));
        for (const QString& file : directory.entryList({QStringLiteral("*.jinja")}))
            QTest::newRow(qPrintable(file)) << QString(file).chopped(6);
        if (!directory.exists())
            QTest::newRow("missing") << QString();
    }

    void templatesGiveTheReferenceText()
    {
        QFETCH(QString, name);
        VITRINE_SKIP_WITHOUT(test::referencePath(QStringLiteral("templates")));
        const QString base = test::referencePath(QStringLiteral("templates/") + name);
        const auto chatTemplate =
            JinjaChatTemplate::parse(test::readAll(base + QStringLiteral(".jinja")).toStdString());
        QVERIFY2(chatTemplate, chatTemplate ? "" : chatTemplate.error().line().c_str());
        const QJsonArray cases = test::readJson(base + QStringLiteral(".json")).array();
        QCOMPARE(cases.size(), 8);
        for (const QJsonValue& value : cases)
            check(**chatTemplate, value);
    }

private:
    static void check(const ChatTemplate& chatTemplate, const QJsonValue& value)
    {
        const auto text = [&](const char* key) { return value[QLatin1String(key)].toString().toStdString(); };
        const std::vector<ChatMessage> messages = messagesOf(value[QStringLiteral("messages")].toArray());
        const Result<RenderedChat> rendered = chatTemplate.render(
            messages, {.addGenerationPrompt = value[QStringLiteral("add_generation_prompt")].toBool(),
                       .bosToken = text("bos_token"),
                       .eosToken = text("eos_token"),
                       .now = referenceTime()});
        if (value[QStringLiteral("error")].isString()) {
            QVERIFY(!rendered);
            QVERIFY2(rendered.error().what.find(text("error")) != std::string::npos,
                     rendered.error().what.c_str());
            return;
        }
        QVERIFY2(rendered, rendered ? "" : rendered.error().line().c_str());
        QCOMPARE(QString::fromStdString(rendered->text), value[QStringLiteral("expected")].toString());
        // What the messages say is known as such, wherever the template puts it.
        for (TextRange range : rendered->userText)
            QVERIFY(saidBy(messages, rendered->text.substr(range.begin, range.end - range.begin)));
    }

    static bool saidBy(const std::vector<ChatMessage>& messages, const std::string& text)
    {
        return std::ranges::any_of(messages, [&text](const ChatMessage& message) {
            return message.content.find(text) != std::string::npos;
        });
    }
};

QTEST_APPLESS_MAIN(TestJinjaReference)
#include "test_jinja_reference.moc"
