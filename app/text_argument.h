// SPDX-License-Identifier: GPL-3.0-or-later
// What a text and the name of a file are on the command line. Use the validators with check().
#pragma once
#include <CLI/CLI.hpp>

namespace vitrine {

/// Text that a model reads: UTF-8, which may be empty.
struct TextArgument : CLI::Validator {
    TextArgument();
};

/// The name of a file: any bytes, but some. An empty one (a variable that is not set) would mean none.
struct FileName : CLI::Validator {
    FileName();
};

} // namespace vitrine
