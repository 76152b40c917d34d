// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/chat_session.h"

#include <QObject>

#include <unordered_map>

namespace vitrine {

class Workspace;

/// Chats that talk by themselves: each asks the next question of a list as soon as its answer has ended.
class Demo : public QObject {
    Q_OBJECT
public:
    Demo(Workspace& workspace, int chats);

private:
    void ask(ui::ChatId chat);

    Workspace& m_workspace;
    std::unordered_map<ui::ChatId, int> m_turns; ///< of each of our chats
};

} // namespace vitrine
