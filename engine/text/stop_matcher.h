// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

/// Looks for stop strings in a stream of text. Text that may still turn out to be the beginning of a stop
/// string is held back, so that no part of one is ever shown. The stop string that is complete first ends the
/// answer; of those complete at the same byte, the longest. Time per byte: amortised constant for each stop
/// string.
class StopMatcher {
public:
    /// Empty stop strings are ignored. Whole UTF-8 in, whole UTF-8 out.
    explicit StopMatcher(std::vector<std::string> stopStrings);

    /// The text that can be shown now. Once stopped() is true, nothing more comes out.
    [[nodiscard]] std::string append(std::string_view text);
    /// What was held back, where the answer ends otherwise than by a stop string.
    [[nodiscard]] std::string finish();
    [[nodiscard]] bool stopped() const { return m_stopped; }

private:
    struct Pattern {
        std::string text;
        std::vector<std::size_t> failure; ///< Knuth–Morris–Pratt: longest border of each prefix
        std::size_t matched = 0;
        void advance(char next);
        [[nodiscard]] bool complete() const { return matched == text.size(); }
    };

    /// What cannot become a stop string any more.
    [[nodiscard]] std::string release();

    std::vector<Pattern> m_patterns;
    std::string m_held;
    bool m_stopped = false;
};

} // namespace vitrine
