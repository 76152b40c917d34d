// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFont>
#include <QPalette>
#include <QTextFormat>

namespace vitrine::ui {

/// How a conversation is set: formats made once from font and palette, used for every message.
struct TextStyle {
    TextStyle(const QFont& font, const QPalette& palette);

    QTextCharFormat body;
    QTextCharFormat quiet; ///< figures and actions under an answer
    QTextCharFormat notice;
    QTextCharFormat error;
    QTextCharFormat code; ///< in a line of text
    QTextCharFormat codeBlock;
    QTextBlockFormat paragraph;
    QTextBlockFormat aside; ///< what a model thought before it answered
    QTextBlockFormat tight; ///< no space after: lines of code
    QTextBlockFormat footer;
    QTextFrameFormat codeFrame;
    QFont font;
    QFont fixed;
    QColor underline; ///< of actions: there, but quiet

    [[nodiscard]] QTextCharFormat heading(int level) const;
    [[nodiscard]] QTextFrameFormat messageFrame(int padding) const;
    /// The line between two frames.
    [[nodiscard]] QTextBlockFormat separator(int height) const;
};

/// Frames carry what they are, so that the view can paint their background.
enum class FrameKind { Plain, Question, Notice, Failure, Code };
inline constexpr int kFrameKind = QTextFormat::UserProperty + 1;

} // namespace vitrine::ui
