// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/pattern.h"

#include <cassert>
#include <string>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace vitrine {
namespace {

constexpr std::string_view kWhiteSpace =
    "\\x09-\\x0d\\x20\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}";

/// Writes \s and \S out, inside brackets and outside. `[^…\S…]` does not occur and is not supported.
std::string withWhiteSpace(std::string_view pattern)
{
    std::string written;
    bool inBrackets = false;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char c = pattern[i];
        if (c != '\\') {
            inBrackets = c == '[' ? true : c == ']' ? false : inBrackets;
            written += c;
            continue;
        }
        const char escaped = pattern[++i];
        if (escaped != 's' && escaped != 'S')
            written.append({c, escaped});
        else if (inBrackets)
            written += kWhiteSpace;
        else
            written.append(escaped == 's' ? "[" : "[^").append(kWhiteSpace).append("]");
    }
    return written;
}

} // namespace

void Pattern::Release::operator()(pcre2_real_code_8* code) const noexcept
{
    pcre2_code_free(code);
}

void Pattern::Search::Release::operator()(pcre2_real_match_data_8* data) const noexcept
{
    pcre2_match_data_free(data);
}

Pattern::Pattern(std::string_view pattern)
{
    const std::string written = withWhiteSpace(pattern);
    int error = 0;
    PCRE2_SIZE offset = 0;
    m_code.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(written.data()), written.size(),
                               PCRE2_UTF | PCRE2_UCP, &error, &offset, nullptr));
    assert(m_code);
    // Where there is no JIT the interpreter does the same work, more slowly.
    (void)pcre2_jit_compile(m_code.get(), PCRE2_JIT_COMPLETE);
}

Pattern::Search::Search(const Pattern& pattern)
    : m_pattern(&pattern)
    , m_data(pcre2_match_data_create(1, nullptr))
{
}

std::optional<Pattern::Match> Pattern::Search::next(std::string_view text, std::size_t from)
{
    const auto search = [&](std::uint32_t options) {
        return pcre2_match(m_pattern->m_code.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
                           from, options | PCRE2_NO_UTF_CHECK | PCRE2_NOTEMPTY, m_data.get(), nullptr);
    };
    int result = search(0);
    if (result == PCRE2_ERROR_JIT_STACKLIMIT)
        result = search(PCRE2_NO_JIT);
    if (result < 0) // no match, or more work than PCRE2 allows: the rest of the text is one piece
        return std::nullopt;
    const PCRE2_SIZE* range = pcre2_get_ovector_pointer(m_data.get());
    return Match{range[0], range[1]};
}

} // namespace vitrine
