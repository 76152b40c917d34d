// SPDX-License-Identifier: GPL-3.0-or-later
// Python's two ways of putting values into a text.
#pragma once
#include "engine/text/jinja/budget.h"
#include "engine/text/jinja/object.h"
#include "engine/text/jinja/value.h"

namespace vitrine::jinja {

/// `"%s is %d" % values`: a tuple of values, a dictionary for "%(name)s", or one value.
[[nodiscard]] Text formatPercent(const Text& format, const Value& values, Budget& budget);
/// `"{} is {age:>3}".format(…)`; fields are numbers and names, with a conversion and a specification.
[[nodiscard]] Text formatBraces(const Text& format, const Arguments& arguments, Budget& budget);

} // namespace vitrine::jinja
