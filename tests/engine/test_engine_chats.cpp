// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/engine_requests.h"
#include "tests/support/scripted_model.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

/// What a chat shows of what a model writes: reasoning apart from the answer, and nothing of what ends a
/// turn.
class EngineChatsTest : public QObject {
    Q_OBJECT
private slots:
    void reasoningIsToldApart_data();
    void reasoningIsToldApart();
    void whatEndsATurnStopsTheAnswerAndIsNotShown_data();
    void whatEndsATurnStopsTheAnswerAndIsNotShown();
    void aTextThatIsContinuedIsLeftAsItIs();
    void theTemplateGetsWhatWasThoughtBefore();

private:
    SteppedEngine::Seen answerOf(const ScriptedModel& model, Request request);
    QTemporaryDir m_folder;
};

namespace {

using Pieces = std::vector<ScriptedModel::Piece>;
constexpr std::int32_t kControl = 3;
constexpr std::int32_t kUserDefined = 4;

Request chat()
{
    Request request;
    request.prompt = std::vector<ChatMessage>{{"user", "hi"}};
    request.sampling.temperature = 0;
    request.maxTokens = 100;
    return request;
}

/// The same as tokens of a few letters each.
Pieces cut(const std::string& text)
{
    Pieces pieces;
    for (std::size_t at = 0; at < text.size(); at += 3)
        pieces.push_back({text.substr(at, 3)});
    return pieces;
}

} // namespace

Q_DECLARE_METATYPE(ScriptedModel)

SteppedEngine::Seen EngineChatsTest::answerOf(const ScriptedModel& model, Request request)
{
    const QString path = m_folder.filePath("scripted.gguf");
    QFile file(path);
    const std::string bytes = model.bytes();
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), qint64(bytes.size())) < 0)
        return {};
    file.close();
    SteppedEngine engine(smallEngine());
    engine.load(path.toStdString());
    const RequestId id = engine.submit(std::move(request));
    engine.runOut(1000);
    return engine[id];
}

void EngineChatsTest::reasoningIsToldApart_data()
{
    QTest::addColumn<ScriptedModel>("model");
    QTest::addColumn<QString>("reasoning");
    QTest::addColumn<QString>("answer");
    const auto row = [](const char* name, Pieces pieces, const char* reasoning, const char* answer,
                        const std::string& opened = {}) {
        ScriptedModel model{std::move(pieces)};
        model.chatTemplate = "{% for m in messages %}{{ m.content }}</s>{% endfor %}" + opened + "<|go|>";
        QTest::newRow(name) << model << QString(reasoning) << QString(answer);
    };
    row("by tokens",
        {{"<think>", kUserDefined}, {"\nhm"}, {"\n"}, {"</think>", kUserDefined}, {"\n\nHello."}}, "hm",
        "Hello.");
    row("by control tokens", {{"<think>", kControl}, {"hm"}, {"</think>", kControl}, {"Hello."}}, "hm",
        "Hello.");
    row("by text", cut("<think>\nhm\n</think>\n\nHello."), "hm", "Hello.");
    row("without an end", cut("<think>\nhm"), "hm", "");
    row("by channels",
        {{"<|channel|>", kControl},
         {"analysis"},
         {"<|message|>", kControl},
         {"hm"},
         {"<|end|>", kControl},
         {"<|start|>", kControl},
         {"assistant"},
         {"<|channel|>"}, // each token of the script is one of the vocabulary: a second one is text
         {"final"},
         {"<|message|>"},
         {"Hello."},
         {"<|return|>", kControl},
         {"never"}},
        "hm", "Hello.");
}

void EngineChatsTest::reasoningIsToldApart()
{
    QFETCH(ScriptedModel, model);
    const SteppedEngine::Seen seen = answerOf(model, chat());
    QVERIFY(seen.ended());
    QCOMPARE(seen.finished.front().reason, EndReason::Stop);
    QTEST(QString::fromStdString(seen.reasoning), "reasoning");
    QTEST(QString::fromStdString(seen.text), "answer");
    for (const report::TextDelta& delta : seen.deltas)
        QVERIFY(delta.text.empty() || delta.reasoning.empty() || delta.token >= 0);
}

void EngineChatsTest::whatEndsATurnStopsTheAnswerAndIsNotShown_data()
{
    QTest::addColumn<QString>("turn");
    QTest::addColumn<Pieces>("pieces");
    const auto row = [](const char* name, const char* turn, Pieces pieces) {
        QTest::newRow(name) << QString(turn) << std::move(pieces);
    };
    row("a text of several tokens", "<|{{ m.role }}|>{{ m.content }}<|over|>\n", cut("Hello.<|over|>\nmore"));
    row("a token marked as normal", "{{ m.content }}<|over|>\n", {{"Hello."}, {"<|over|>"}, {"more"}});
    row("a token of a user", "{{ m.content }}<|over|>", {{"Hello."}, {"<|over|>", kUserDefined}, {"more"}});
    row("a control token", "{{ m.content }}<|over|>", {{"Hello."}, {"<|over|>", kControl}, {"more"}});
}

void EngineChatsTest::whatEndsATurnStopsTheAnswerAndIsNotShown()
{
    QFETCH(QString, turn);
    QFETCH(Pieces, pieces);
    ScriptedModel model{pieces};
    model.chatTemplate = "{% for m in messages %}" + turn.toStdString() +
                         "{% endfor %}{% if add_generation_prompt %}<|go|>{% endif %}";
    const SteppedEngine::Seen seen = answerOf(model, chat());
    QVERIFY(seen.ended());
    QCOMPARE(seen.finished.front().reason, EndReason::Stop);
    for (const report::TextDelta& delta : seen.deltas)
        QVERIFY(delta.text.find_first_of("<|>") == std::string::npos);
    QCOMPARE(seen.text, std::string("Hello."));
}

void EngineChatsTest::aTextThatIsContinuedIsLeftAsItIs()
{
    const std::string text = "<think>a</think>b<|over|>c";
    ScriptedModel model{cut(text)};
    model.chatTemplate = "{% for m in messages %}{{ m.content }}<|over|>{% endfor %}";
    Request request = chat();
    request.prompt = std::string("hi<|go|>");
    const SteppedEngine::Seen seen = answerOf(model, request);
    QCOMPARE(seen.text, text);
    QVERIFY(seen.reasoning.empty());
}

void EngineChatsTest::theTemplateGetsWhatWasThoughtBefore()
{
    ScriptedModel model{{{"Hello."}}};
    model.chatTemplate = "{% for m in messages %}{{ m.reasoning_content or 'none' }}:{{ m.content }};"
                         "{% endfor %}<|go|>";
    Request request = chat();
    request.prompt = std::vector<ChatMessage>{{"user", "hi"}, {"assistant", "yes", "well"}, {"user", "so"}};
    const SteppedEngine::Seen seen = answerOf(model, request);
    // A token for each byte, as the vocabulary has no other.
    const std::string prompt = "none:hi;well:yes;none:so;";
    QCOMPARE(seen.finished.front().stats.promptTokens, std::int32_t(prompt.size()) + 1);
}

QTEST_GUILESS_MAIN(EngineChatsTest)
#include "test_engine_chats.moc"
