// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text_argument.h"

#include "engine/utf8.h"

namespace vitrine {

std::optional<std::size_t> byteOutsideUtf8(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Char character = decodeUtf8(text.substr(at));
        if (character.status != Utf8Status::Valid)
            return at + 1;
        at += character.length;
    }
    return std::nullopt;
}

TextArgument::TextArgument()
    : Validator("UTF-8")
{
    func_ = [](std::string& text) {
        const std::optional<std::size_t> byte = byteOutsideUtf8(text);
        return byte ? "'" + printable(text) + "' is no UTF-8 at byte " + std::to_string(*byte)
                    : std::string();
    };
}

FileName::FileName()
    : Validator("FILE")
{
    func_ = [](std::string& name) { return name.empty() ? std::string("the name is empty") : std::string(); };
}

} // namespace vitrine
