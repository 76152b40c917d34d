// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/text.h"

#include "engine/text/jinja/budget.h"

#include <algorithm>

namespace vitrine::jinja {
namespace {

void checkRoom(std::size_t size, std::size_t more)
{
    if (more > kMaxTextBytes || size > kMaxTextBytes - more)
        failHere("a text becomes larger than 16 MiB");
}

} // namespace

Text::Text(std::string bytes, bool isUser)
    : m_bytes(std::move(bytes))
{
    if (isUser)
        addUserRange({0, m_bytes.size()});
}

void Text::addUserRange(TextRange range)
{
    if (range.begin == range.end)
        return;
    if (!m_user.empty() && m_user.back().end == range.begin)
        m_user.back().end = range.end;
    else
        m_user.push_back(range);
}

void Text::append(const Text& text)
{
    checkRoom(size(), text.size());
    const std::size_t shift = size();
    m_bytes += text.m_bytes;
    const std::size_t ranges = text.m_user.size(); // `text` may be this one
    for (std::size_t i = 0; i < ranges; ++i)
        addUserRange({text.m_user[i].begin + shift, text.m_user[i].end + shift});
}

void Text::append(std::string_view bytes, bool isUser)
{
    checkRoom(size(), bytes.size());
    const std::size_t begin = size();
    m_bytes += bytes;
    if (isUser)
        addUserRange({begin, size()});
}

Text Text::substr(std::size_t begin, std::size_t length) const
{
    Text part(m_bytes.substr(begin, length));
    const std::size_t end = begin + part.size();
    auto range = std::ranges::upper_bound(m_user, begin, {}, &TextRange::end); // the first that reaches in
    for (; range != m_user.end() && range->begin < end; ++range)
        part.addUserRange({std::max(range->begin, begin) - begin, std::min(range->end, end) - begin});
    return part;
}

} // namespace vitrine::jinja
