// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/suggestions.h"

#include <QCoreApplication>

namespace vitrine::ui {
namespace {

/// Long enough to be computed in several chunks with the default token budget.
constexpr int kLongPromptRepeats = 12;

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Suggestions)
};

QString longPrompt()
{
    const QString passage = Text::tr("A library keeps its books on numbered shelves. A reader may have books "
                                     "on many shelves at once, and they "
                                     "need not stand side by side: a card says which shelf comes next. When "
                                     "a reader leaves, the shelves are "
                                     "free again, but the books stay until somebody needs the place. Should "
                                     "another reader ask for the very "
                                     "same books meanwhile, they are still there, and nothing has to be "
                                     "fetched. The librarian never moves a "
                                     "book to make room for a long row, since no row has to be long.");
    QStringList parts{Text::tr("Read these notes, then say in three sentences what they describe.")};
    for (int i = 1; i <= kLongPromptRepeats; ++i)
        parts << Text::tr("Note %1. %2").arg(i).arg(passage);
    return parts.join(QStringLiteral("\n\n"));
}

} // namespace

std::vector<Suggestion> suggestions()
{
    const QString question =
        Text::tr("Explain in a few paragraphs why the sky is blue, and why sunsets are red.");
    return {
        {QStringLiteral("fan-out"),
         Text::tr("Ask four chats the same question"),
         Text::tr("One batch of four; their prompts share blocks of the cache."),
         {question, question, question, question}},
        {QStringLiteral("long-prompt"),
         Text::tr("Send one long prompt"),
         Text::tr("Watch the prompt being computed in chunks before the first word comes."),
         {longPrompt()}},
        {QStringLiteral("story"),
         Text::tr("Tell two stories at once"),
         Text::tr("Two chats grow block by block, side by side in every step."),
         {Text::tr("Tell me a long story about a lighthouse keeper who finds a message in a bottle."),
          Text::tr("Tell me a long story about a clockmaker who repairs the clock of a whole town.")}},
    };
}

} // namespace vitrine::ui
