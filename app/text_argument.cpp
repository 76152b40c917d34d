// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text_argument.h"

#include "engine/utf8.h"

namespace vitrine {

TextArgument::TextArgument()
    : Validator("UTF-8")
{
    func_ = [](std::string& text) {
        const std::optional<std::size_t> byte = firstInvalidByte(text);
        return byte ? "'" + printable(text) + "' is no UTF-8 at byte " + std::to_string(*byte + 1)
                    : std::string();
    };
}

FileName::FileName()
    : Validator("FILE")
{
    func_ = [](std::string& name) { return name.empty() ? std::string("the name is empty") : std::string(); };
}

} // namespace vitrine
