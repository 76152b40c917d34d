// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Markdown that models write, set with our own formats: paragraphs, headings, lists, fenced code,
// `code`, **bold**, *italic*. HTML and images stay plain text: an answer never loads anything.
#pragma once
#include "ui/chat/text_style.h"

#include <QString>

namespace vitrine::ui {

class SourcePen;

/// Writes `text`, the whole of a part, at the pen's cursor, whose block is empty. The cursor ends in the last
/// block written.
void writeMarkdown(SourcePen& pen, const QString& text, const TextStyle& style);

} // namespace vitrine::ui
