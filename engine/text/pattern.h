// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <optional>
#include <string_view>

struct pcre2_real_code_8;
struct pcre2_real_match_data_8;

namespace vitrine {

/// A regular expression over UTF-8 with Unicode properties (PCRE2, compiled to machine code where the machine
/// can). Patterns are the program's own: one that does not compile is our bug. Shared between threads freely.
class Pattern {
public:
    /// `\s` stands for Unicode's White_Space, as in the tokenizers' own regular expressions (PCRE2 adds
    /// U+180E).
    explicit Pattern(std::string_view pattern);

    struct Match {
        std::size_t begin;
        std::size_t end; ///< > begin
    };
    /// Where one thread keeps the state of its searches.
    class Search {
    public:
        explicit Search(const Pattern& pattern);
        /// The first match that is not empty at or after `from`. Precondition: `text` is valid UTF-8.
        [[nodiscard]] std::optional<Match> next(std::string_view text, std::size_t from);

    private:
        struct Release {
            void operator()(pcre2_real_match_data_8* data) const noexcept;
        };
        const Pattern* m_pattern;
        std::unique_ptr<pcre2_real_match_data_8, Release> m_data;
    };

private:
    struct Release {
        void operator()(pcre2_real_code_8* code) const noexcept;
    };
    std::unique_ptr<pcre2_real_code_8, Release> m_code;
};

} // namespace vitrine
