// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/text/chat_template.h"
#include "engine/text/jinja/template.h"

namespace vitrine {

/// A model's own chat template, as its file holds it.
class JinjaChatTemplate final : public ChatTemplate {
public:
    [[nodiscard]] static Result<std::unique_ptr<ChatTemplate>> parse(std::string_view source);

    [[nodiscard]] Result<RenderedChat> render(std::span<const ChatMessage> messages,
                                              const ChatTemplateOptions& options) const override;
    [[nodiscard]] std::string name() const override { return m_name; }

private:
    JinjaChatTemplate(jinja::Template source, std::string name)
        : m_template(std::move(source))
        , m_name(std::move(name))
    {
    }

    jinja::Template m_template;
    std::string m_name;
};

} // namespace vitrine
