// SPDX-License-Identifier: GPL-3.0-or-later
// Jinja as chat templates use it: a template is parsed once and rendered for each prompt.
#pragma once
#include "engine/error.h"
#include "engine/text/jinja/text.h"
#include "engine/text/jinja/value.h"

#include <ctime>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace vitrine::jinja {

/// A template in the language of Jinja 3.1, with the settings, functions and sandbox of Hugging Face's chat
/// templates. Rendering is bounded in steps, depth and memory (budget.h), whatever the template says. Errors
/// carry line and column.
class Template {
public:
    [[nodiscard]] static Result<Template> parse(std::string_view source);
    Template(Template&&) noexcept;
    Template& operator=(Template&&) noexcept;
    ~Template();

    /// A value that the template knows by a name. The name must outlive the rendering.
    using Variable = std::pair<std::string_view, Value>;
    /// `now`: the local time that strftime_now() tells.
    [[nodiscard]] Result<Text> render(std::span<const Variable> variables, const std::tm& now) const;

private:
    struct Source;
    explicit Template(std::unique_ptr<Source> source);
    std::unique_ptr<Source> m_source;
};

} // namespace vitrine::jinja
