// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/text/jinja/budget.h"
#include "engine/text/jinja/parser.h"

namespace vitrine::jinja {

class Parser::Level {
public:
    explicit Level(Parser& parser)
        : m_parser(parser)
    {
        if (++m_parser.m_depth > kMaxSourceDepth)
            failAt(m_parser.current().position, "the template is nested too deeply");
    }
    ~Level() { --m_parser.m_depth; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

private:
    Parser& m_parser;
};

class Parser::Chain {
public:
    explicit Chain(Parser& parser)
        : m_parser(parser)
    {
    }
    void grow()
    {
        if (++m_length > kMaxChain)
            failAt(m_parser.current().position, "the expression is too long");
    }

private:
    Parser& m_parser;
    int m_length = 0;
};

} // namespace vitrine::jinja
