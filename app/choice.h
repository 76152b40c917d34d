// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/utf8.h"

#include <CLI/CLI.hpp>

#include <map>
#include <string>

namespace vitrine {

/// Validator for one of several words, each of which stands for a value; says which there are where it is
/// none of them. Use with transform().
template<typename T>
struct Choice : CLI::Validator {
    explicit Choice(const std::map<std::string, T>& values)
    {
        std::string words;
        for (const auto& [word, value] : values)
            words += (words.empty() ? "" : ", ") + word;
        description("one of " + words);
        func_ = [values, words](std::string& text) {
            const auto found = values.find(text);
            if (found == values.end())
                return "'" + printable(text) + "' is not one of " + words;
            text = std::to_string(static_cast<int>(found->second)); // as the parser's own conversion reads it
            return std::string();
        };
    }
};

} // namespace vitrine
