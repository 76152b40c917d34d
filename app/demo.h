// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/chat_session.h"

#include "engine/report.h"

#include <QElapsedTimer>
#include <QObject>

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace vitrine {

class Workspace;

/// Chats that talk by themselves: each asks the next question of a list as soon as its answer has ended.
class Demo : public QObject {
    Q_OBJECT
public:
    Demo(Workspace& workspace, int chats);

    /// "8 chats: 1830 tokens in 9.6 s, 190.6 tok/s", from the moment when all of them had begun to answer;
    /// empty before.
    [[nodiscard]] std::string summary() const;
    /// "tokens of each second since 1764517743.250: 541 536 528": on the clock of 1970.
    [[nodiscard]] std::string seconds() const;

private:
    void count(const std::vector<report::TextDelta>& deltas);
    void ask(ui::ChatId chat);

    Workspace& m_workspace;
    std::unordered_map<ui::ChatId, int> m_turns; ///< of each of our chats
    std::unordered_set<RequestId> m_begun;       ///< requests that have brought a token
    QElapsedTimer m_clock;
    qint64 m_beginMillis = 0; ///< since 1970
    double m_seconds = 0;     ///< at the last token
    std::vector<int> m_tokensOfSecond;
};

} // namespace vitrine
