// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/stop_matcher.h"

#include <algorithm>
#include <utility>

namespace vitrine {
namespace {

/// For each prefix of the text (by length − 1) the length of its longest proper border.
std::vector<std::size_t> borders(std::string_view text)
{
    std::vector<std::size_t> lengths(text.size());
    for (std::size_t i = 1; i < text.size(); ++i) {
        std::size_t length = lengths[i - 1];
        while (length > 0 && text[i] != text[length])
            length = lengths[length - 1];
        lengths[i] = length + (text[i] == text[length] ? 1 : 0);
    }
    return lengths;
}

} // namespace

void StopMatcher::Pattern::advance(char next)
{
    while (matched > 0 && text[matched] != next)
        matched = failure[matched - 1];
    matched += text[matched] == next ? 1 : 0;
}

StopMatcher::StopMatcher(std::vector<std::string> stopStrings)
{
    for (std::string& text : stopStrings) {
        if (!text.empty())
            m_patterns.push_back({text, borders(text)});
    }
}

std::string StopMatcher::append(std::string_view text)
{
    if (m_stopped)
        return {};
    for (char next : text) {
        m_held += next;
        std::size_t longest = 0;
        for (Pattern& pattern : m_patterns) {
            pattern.advance(next);
            if (pattern.complete())
                longest = std::max(longest, pattern.matched);
        }
        if (longest > 0) {
            m_stopped = true;
            m_held.resize(m_held.size() - longest);
            return std::exchange(m_held, {});
        }
    }
    return release();
}

std::string StopMatcher::release()
{
    std::size_t kept = 0;
    for (const Pattern& pattern : m_patterns)
        kept = std::max(kept, pattern.matched);
    std::string released = m_held.substr(0, m_held.size() - kept);
    m_held.erase(0, released.size());
    return released;
}

std::string StopMatcher::finish()
{
    for (Pattern& pattern : m_patterns)
        pattern.matched = 0;
    return std::exchange(m_held, {});
}

} // namespace vitrine
