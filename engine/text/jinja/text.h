// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/text/text_range.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::jinja {

/// A string that knows which of its bytes come from the messages and which from the template. Whatever is put
/// together from append() and substr() keeps that knowledge, down to the rendered prompt.
class Text {
public:
    Text() = default;
    /// `isUser`: all of it comes from a message.
    explicit Text(std::string bytes, bool isUser = false);

    [[nodiscard]] const std::string& bytes() const { return m_bytes; }
    [[nodiscard]] std::size_t size() const { return m_bytes.size(); }
    [[nodiscard]] bool empty() const { return m_bytes.empty(); }
    /// Bytes that a copy touches.
    [[nodiscard]] std::size_t weight() const { return size() + m_user.size() * sizeof(TextRange); }
    [[nodiscard]] std::span<const TextRange> userRanges() const
    {
        return m_user;
    } ///< ascending, not touching
    [[nodiscard]] bool hasUserText() const { return !m_user.empty(); }

    /// A Failure where the text would become larger than kMaxTextBytes.
    void append(const Text& text);
    void append(std::string_view bytes, bool isUser = false);
    [[nodiscard]] Text substr(std::size_t begin, std::size_t length = std::string::npos) const;
    /// Other bytes in place of these (upper case, say): all from a message where any of these was.
    [[nodiscard]] Text rewritten(std::string bytes) const { return Text(std::move(bytes), hasUserText()); }

private:
    void addUserRange(TextRange range);

    std::string m_bytes;
    std::vector<TextRange> m_user;
};

} // namespace vitrine::jinja
