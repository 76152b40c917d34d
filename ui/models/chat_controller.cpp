// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chat_controller.h"

#include "ui/models/context_window.h"

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr int kTitleLength = 60;
/// A title comes from so many characters: the text may have millions.
constexpr int kTitleSource = 10'000;

QString titleFrom(const QString& text)
{
    const QString line = text.left(kTitleSource).simplified();
    if (line.size() <= kTitleLength)
        return line;
    const int end = kTitleLength - (line[kTitleLength - 2].isHighSurrogate() ? 2 : 1);
    return line.left(end).trimmed() + QChar(0x2026);
}

Message streamingAnswer(MessageId sentFrom)
{
    Message answer;
    answer.role = Role::Assistant;
    answer.state = MessageState::Streaming;
    answer.sentFrom = sentFrom;
    return answer;
}

} // namespace

ChatController::ChatController(EngineHost& host, ChatBook& book, QObject* parent)
    : QObject(parent)
    , m_host(host)
    , m_book(book)
{
    connect(&host, &EngineHost::requestAccepted, this, &ChatController::onAccepted);
    connect(&host, &EngineHost::textArrived, this, &ChatController::onText);
    connect(&host, &EngineHost::requestFinished, this, &ChatController::onFinished);
}

std::optional<SequenceId> ChatController::sequenceOf(ChatId chat) const
{
    const auto current = m_current.find(chat);
    return current == m_current.end() ? std::nullopt : m_answers.at(current->second).sequence;
}

std::optional<ChatController::AnswerPlace> ChatController::answerOf(RequestId request) const
{
    const auto answer = m_answers.find(request);
    if (answer == m_answers.end())
        return std::nullopt;
    return AnswerPlace{answer->second.chat, answer->second.message};
}

/// Null where it is not in the book or cannot be read.
const ChatSession* ChatController::wholeChat(ChatId chat)
{
    const ChatSession* session = m_book.readWhole(chat);
    return session != nullptr && session->isWhole ? session : nullptr;
}

bool ChatController::submit(ChatId chat, const QString& text, int maxTokens)
{
    const ChatSession* session = wholeChat(chat);
    if (session == nullptr || session->isBusy() || isBlank(text))
        return false;
    if (session->messages.empty() && !session->titledByUser)
        m_book.setTitle(chat, m_book.distinctTitle(chat, titleFrom(text)), false);
    Message question;
    question.text = text;
    m_book.append(chat, question);
    makeRoom(chat, maxTokens);
    ask({chat, m_book.append(chat, streamingAnswer(session->firstSent)), maxTokens, {}});
    return true;
}

void ChatController::ask(Answer answer)
{
    Request request;
    request.prompt = promptOf(*m_book.find(answer.chat));
    request.format = m_book.find(answer.chat)->format;
    request.sampling = m_sampling;
    request.maxTokens = answer.maxTokens;
    const RequestId id = m_host.submit(std::move(request));
    m_answers[id] = answer;
    m_current[answer.chat] = id;
}

void ChatController::makeRoom(ChatId chat, int maxTokens)
{
    const ChatSession& session = *m_book.find(chat);
    if (m_contextLimit == 0 || !outgrows(session, m_contextLimit, maxTokens))
        return;
    if (const auto first = cutToHalf(session, m_contextLimit))
        sendFrom(chat, *first);
}

void ChatController::sendFrom(ChatId chat, MessageId first)
{
    const ChatSession& session = *m_book.find(chat);
    const auto dropped = std::ranges::count_if(session.messages, [&](const Message& m) {
        return m.role == Role::User && m.id >= session.firstSent && m.id < first;
    });
    m_book.setFirstSent(chat, first);
    Message notice;
    notice.role = Role::Notice;
    notice.text =
        tr("The conversation has outgrown the context of %L1 tokens. Policy: the system prompt stays, the "
           "%n oldest turn(s) are no longer sent to the model; they stay readable here.",
           nullptr, static_cast<int>(dropped))
            .arg(m_contextLimit);
    m_book.append(chat, notice);
}

void ChatController::stop(ChatId chat)
{
    const auto current = m_current.find(chat);
    if (current == m_current.end())
        return;
    const RequestId request = current->second;
    const Answer answer = m_answers.at(request);
    m_current.erase(current);
    m_host.cancel(request);
    m_book.edit(chat, answer.message, [](Message& m) { m.state = MessageState::Stopped; });
    emit answerEnded(chat, answer.message);
}

void ChatController::regenerate(ChatId chat)
{
    stop(chat);
    const ChatSession* session = wholeChat(chat);
    const Message* answer = session == nullptr ? nullptr : session->lastAnswer();
    if (answer == nullptr)
        return;
    m_book.truncate(chat, answer->id);
    makeRoom(chat, 0);
    ask({chat, m_book.append(chat, streamingAnswer(session->firstSent)), 0, {}});
}

void ChatController::regenerateAsChatMl(ChatId chat)
{
    if (m_book.find(chat) == nullptr)
        return;
    m_book.setFormat(chat, ChatFormat::ChatMl);
    regenerate(chat);
}

ChatId ChatController::branch(ChatId chat, MessageId answer)
{
    const ChatSession* whole = wholeChat(chat);
    if (whole == nullptr)
        return chat;
    const ChatSession origin = *whole;
    const ChatId id = m_book.add(tr("%1 (branch)").arg(origin.title), origin.systemPrompt);
    m_book.setTitle(id, m_book.distinctTitle(id, m_book.find(id)->title), true);
    for (const Message& message : origin.messages) {
        if (message.id < answer)
            m_book.append(id, message);
    }
    makeRoom(id, 0);
    ask({id, m_book.append(id, streamingAnswer(m_book.find(id)->firstSent)), 0, {}});
    return id;
}

bool ChatController::remove(ChatId chat)
{
    stop(chat);
    std::optional<ChatSession> taken = m_book.take(chat);
    if (!taken)
        return false;
    m_removed = std::move(taken);
    return true;
}

void ChatController::undoRemove()
{
    if (m_removed)
        m_book.restore(*std::exchange(m_removed, std::nullopt));
}

void ChatController::onAccepted(const report::Accepted& accepted)
{
    const auto answer = m_answers.find(accepted.request);
    if (answer == m_answers.end())
        return;
    answer->second.sequence = accepted.sequence;
    emit sequenceStarted(accepted.sequence, answer->second.chat);
}

void ChatController::onText(const std::vector<report::TextDelta>& deltas)
{
    // One change a chat and batch, however many tokens came: what listens does its work once.
    struct Arrived {
        RequestId request;
        std::string reasoning{};
        std::string text{};
    };
    std::vector<Arrived> all;
    for (const report::TextDelta& delta : deltas) {
        auto arrived = std::ranges::find(all, delta.request, &Arrived::request);
        if (arrived == all.end())
            arrived = all.insert(arrived, {delta.request});
        arrived->reasoning += delta.reasoning;
        arrived->text += delta.text;
    }
    for (const Arrived& arrived : all) {
        const auto answer = m_answers.find(arrived.request);
        if (answer == m_answers.end())
            continue;
        const ChatId chat = answer->second.chat;
        const MessageId message = answer->second.message;
        const auto current = m_current.find(chat);
        if (current == m_current.end() || current->second != arrived.request)
            continue;
        m_book.appendReasoning(chat, message, QString::fromStdString(arrived.reasoning));
        m_book.appendText(chat, message, QString::fromStdString(arrived.text));
    }
}

void ChatController::onFinished(const report::Finished& finished)
{
    const auto found = m_answers.find(finished.request);
    if (found == m_answers.end())
        return;
    const Answer answer = found->second;
    m_answers.erase(found);
    const auto current = m_current.find(answer.chat);
    const bool wasStopped = current == m_current.end() || current->second != finished.request;
    if (wasStopped) {
        m_book.edit(answer.chat, answer.message, [&](Message& m) { m.stats = finished.stats; });
        return;
    }
    m_current.erase(current);
    if (retryShorter(answer, finished))
        return;
    m_book.edit(answer.chat, answer.message, [&](Message& m) { conclude(m, finished, answer.maxTokens); });
    emit answerEnded(answer.chat, answer.message);
}

/// The estimate was too low, and the engine refused what could never fit. Now that it has told the prompt's
/// length, drop what is needed and ask again; where nothing can be dropped, ask for as long an answer as
/// fits.
bool ChatController::retryShorter(const Answer& answer, const report::Finished& finished)
{
    const int promptTokens = finished.stats.promptTokens;
    const bool tooLong = finished.reason == EndReason::Error && m_contextLimit > 0 && promptTokens > 0 &&
                         promptTokens + std::max(1, answer.maxTokens) > m_contextLimit;
    if (!tooLong)
        return false;
    m_book.edit(answer.chat, answer.message, [&](Message& m) { m.stats = finished.stats; });
    const auto first = cutToHalf(*m_book.find(answer.chat), m_contextLimit);
    if (!first && (promptTokens >= m_contextLimit || answer.maxTokens == 0))
        return false;
    m_book.truncate(answer.chat, answer.message);
    if (first)
        sendFrom(answer.chat, *first);
    const MessageId sentFrom = m_book.find(answer.chat)->firstSent;
    ask({answer.chat,
         m_book.append(answer.chat, streamingAnswer(sentFrom)),
         first ? answer.maxTokens : 0,
         {}});
    return true;
}

void ChatController::conclude(Message& message, const report::Finished& finished, int maxTokens) const
{
    message.stats = finished.stats;
    message.refusedByTemplate = finished.refusedByTemplate;
    if (finished.error)
        message.note = tr("The engine says: %1").arg(QString::fromStdString(finished.error->line()));
    switch (finished.reason) {
    case EndReason::Stop:
        message.state = MessageState::Done;
        break;
    case EndReason::Length:
        message.state = MessageState::Done;
        if (maxTokens == 0 || finished.stats.generatedTokens < maxTokens)
            message.note = contextFullNote();
        break;
    case EndReason::Aborted:
        message.state = MessageState::Stopped;
        break;
    case EndReason::Error:
        message.state = MessageState::Failed;
        break;
    }
    if (message.state == MessageState::Done && message.note.isEmpty() && message.text.isEmpty() &&
        !message.reasoning.isEmpty())
        message.note = onlyReasoningNote();
}

/// The model never came to its answer.
QString ChatController::onlyReasoningNote()
{
    return tr("The answer ended while the model was still reasoning.");
}

QString ChatController::contextFullNote() const
{
    return tr("The context of %L1 tokens is full, so the answer ends here. Policy: with the next message the "
              "oldest "
              "turns are no longer sent; the system prompt stays.")
        .arg(m_contextLimit);
}

} // namespace vitrine::ui
