// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/error.h"

#include "engine/utf8.h"

#include <algorithm>

namespace vitrine {

std::string Error::line() const
{
    std::string text = where.empty() ? what : where + ": " + what;
    if (!advice.empty())
        text += " (" + advice + ")";
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return printable(text, kWholeText);
}

} // namespace vitrine
