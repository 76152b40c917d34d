// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/ids.h"
#include "engine/text/vocabulary.h"

#include <optional>
#include <string_view>
#include <vector>

namespace vitrine {

/// Finds tokens that are written out in a text ("<|im_end|>"): those a user has defined always, control
/// tokens where it is asked for.
class SpecialTokens {
public:
    explicit SpecialTokens(const Vocabulary& vocabulary);

    struct Match {
        TokenId token;
        std::size_t length; ///< bytes
    };
    /// The longest special token that `text` begins with.
    [[nodiscard]] std::optional<Match> matchAt(std::string_view text, bool withControl) const;
    /// Whether some special token begins with that byte.
    [[nodiscard]] bool canBegin(char byte) const { return m_first[static_cast<unsigned char>(byte)]; }

private:
    struct Entry {
        std::string_view text; ///< in the vocabulary
        TokenId token;
        bool control;
    };
    std::vector<Entry> m_entries; ///< by text
    std::vector<bool> m_first = std::vector<bool>(256);
};

} // namespace vitrine
