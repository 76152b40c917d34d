// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vitrine::jinja {

class Interpreter;

/// range, dict, namespace, cycler, joiner, and what Hugging Face adds: raise_exception, strftime_now.
void defineGlobals(Interpreter& interpreter);

} // namespace vitrine::jinja
