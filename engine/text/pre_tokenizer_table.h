// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <string_view>

namespace vitrine {

/// How a family of byte-level BPE vocabularies cuts text into words before merging.
struct PreTokenizerSpec {
    std::span<const std::string_view> names{}; ///< values of tokenizer.ggml.pre
    /// PCRE2 patterns; each is applied to the pieces that the one before has made. What lies between two
    /// matches is a piece too.
    std::span<const std::string_view> patterns{};
    bool ignoresMerges = false; ///< a word that is a token as a whole stays whole
    bool addsBos = false;       ///< where the file does not say
};

[[nodiscard]] std::span<const PreTokenizerSpec> preTokenizerSpecs() noexcept;
/// nullptr for a name that is not known.
[[nodiscard]] const PreTokenizerSpec* preTokenizerSpec(std::string_view name) noexcept;
/// What is used, with a warning, where the file names none or an unknown one.
[[nodiscard]] const PreTokenizerSpec& fallbackPreTokenizerSpec() noexcept;

} // namespace vitrine
