// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/parser.h"

#include "engine/utf8.h"

#include <algorithm>

namespace vitrine::jinja {

Parser::Parser(std::vector<Token> tokens)
    : m_tokens(std::move(tokens))
{
}

bool Parser::isOperator(std::string_view text) const
{
    return current().kind == Token::Kind::Operator && current().text == text;
}

bool Parser::isName(std::string_view text) const
{
    return current().kind == Token::Kind::Name && current().text == text;
}

bool Parser::isAnyName(std::initializer_list<std::string_view> texts) const
{
    return std::ranges::any_of(texts, [this](std::string_view text) { return isName(text); });
}

bool Parser::skipOperator(std::string_view text)
{
    if (!isOperator(text))
        return false;
    next();
    return true;
}

bool Parser::skipName(std::string_view text)
{
    if (!isName(text))
        return false;
    next();
    return true;
}

Token Parser::next()
{
    Token token = current();
    if (m_at + 1 < m_tokens.size())
        ++m_at;
    return token;
}

void Parser::expectOperator(std::string_view text)
{
    if (!skipOperator(text))
        unexpected("'" + std::string(text) + "'");
}

void Parser::expectName(std::string_view text)
{
    if (!skipName(text))
        unexpected("'" + std::string(text) + "'");
}

std::string Parser::takeName(std::string_view what)
{
    if (current().kind != Token::Kind::Name)
        unexpected(what);
    return next().text;
}

void Parser::unexpected(std::string_view expected) const
{
    const std::string found = current().kind == Token::Kind::End ? "the template ends"
                              : current().kind == Token::Kind::BlockEnd
                                  ? "the tag ends"
                                  : "'" + printable(current().text) + "' stands";
    failAt(current().position, found + " where " + std::string(expected) + " is expected");
}

} // namespace vitrine::jinja
