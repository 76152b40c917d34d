// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/text/jinja/ast.h"
#include "engine/text/jinja/lexer.h"

#include <initializer_list>
#include <string_view>
#include <vector>

namespace vitrine::jinja {

/// From tokens to what they say; the grammar is Jinja 3.1's. A Failure with its position for what is no
/// template.
class Parser {
public:
    explicit Parser(std::vector<Token> tokens);
    [[nodiscard]] Body parseTemplate();

private:
    class Level; ///< counts nesting while a nested construct is read
    class Chain; ///< counts what hangs on one another without brackets

    // parse_statements.cpp
    [[nodiscard]] Body parseBody(std::initializer_list<std::string_view> ends);
    [[nodiscard]] StatementPtr parseOutput();
    [[nodiscard]] StatementPtr parseTag();
    [[nodiscard]] StatementPtr parseIf();
    [[nodiscard]] StatementPtr parseFor();
    [[nodiscard]] StatementPtr parseSet();
    [[nodiscard]] StatementPtr parseMacro();
    [[nodiscard]] StatementPtr parseCallBlock();
    [[nodiscard]] StatementPtr parseFilterBlock();
    [[nodiscard]] StatementPtr parseWith();
    [[nodiscard]] StatementPtr parseGroup(std::string_view end);
    [[nodiscard]] StatementPtr parseLoopControl(Flow flow);
    void parseSignature(MacroDefinition& macro);
    void parseMacroBody(MacroDefinition& macro, std::string_view end);
    [[nodiscard]] bool namesSince(std::size_t begin, std::string_view name) const;
    [[nodiscard]] Body parseLoopBody(std::initializer_list<std::string_view> ends);
    [[nodiscard]] Target parseTarget();
    [[nodiscard]] Target parseTargetPart();
    [[nodiscard]] std::vector<std::unique_ptr<const FilterExpression>> parseFilterChain();
    void endTag();

    // parse_expressions.cpp
    [[nodiscard]] ExpressionPtr parseExpression();
    /// One expression, or a tuple where commas follow.
    [[nodiscard]] ExpressionPtr parseTuple(bool mayBeConditional = true);
    [[nodiscard]] ExpressionPtr parseConditional();
    [[nodiscard]] ExpressionPtr parseOr();
    [[nodiscard]] ExpressionPtr parseAnd();
    [[nodiscard]] ExpressionPtr parseNot();
    [[nodiscard]] ExpressionPtr parseCompare();
    [[nodiscard]] ExpressionPtr parseSum();
    [[nodiscard]] ExpressionPtr parseConcat();
    [[nodiscard]] ExpressionPtr parseProduct();
    [[nodiscard]] ExpressionPtr parsePower();
    [[nodiscard]] ExpressionPtr parseUnary(bool withFilters);
    [[nodiscard]] ExpressionPtr parsePrimary();
    [[nodiscard]] ExpressionPtr parseName();
    [[nodiscard]] ExpressionPtr parseNumber();
    [[nodiscard]] ExpressionPtr parseString();
    [[nodiscard]] ExpressionPtr parseParentheses();
    [[nodiscard]] ExpressionPtr parseList();
    [[nodiscard]] ExpressionPtr parseDict();
    [[nodiscard]] ExpressionPtr parsePostfix(ExpressionPtr expression);
    [[nodiscard]] ExpressionPtr parseFiltersAndTests(ExpressionPtr expression);
    [[nodiscard]] ExpressionPtr parseAttribute(ExpressionPtr object);
    [[nodiscard]] ExpressionPtr parseSubscript(ExpressionPtr object);
    [[nodiscard]] ExpressionPtr parseSlice(ExpressionPtr object, ExpressionPtr start, Position position);
    [[nodiscard]] std::unique_ptr<CallExpression> parseCall(ExpressionPtr callee);
    [[nodiscard]] std::unique_ptr<FilterExpression> parseFilter(ExpressionPtr input);
    [[nodiscard]] ExpressionPtr parseTest(ExpressionPtr input);
    [[nodiscard]] bool beginsTestArgument() const;
    [[nodiscard]] ArgumentList parseArguments();
    void parseArgument(ArgumentList& arguments);
    [[nodiscard]] std::string parseDottedName();
    [[nodiscard]] ExpressionPtr arithmetic(ArithmeticOperator operation, ExpressionPtr left,
                                           ExpressionPtr right, Position position);

    // Tokens
    [[nodiscard]] const Token& current() const { return m_tokens[m_at]; }
    [[nodiscard]] const Token& following() const { return m_tokens[std::min(m_at + 1, m_tokens.size() - 1)]; }
    [[nodiscard]] bool isOperator(std::string_view text) const;
    [[nodiscard]] bool isName(std::string_view text) const;
    [[nodiscard]] bool isAnyName(std::initializer_list<std::string_view> texts) const;
    bool skipOperator(std::string_view text);
    bool skipName(std::string_view text);
    Token next();
    void expectOperator(std::string_view text);
    void expectName(std::string_view text);
    [[nodiscard]] std::string takeName(std::string_view what);
    [[noreturn]] void unexpected(std::string_view expected) const;

    std::vector<Token> m_tokens; ///< ends with Kind::End
    std::size_t m_at = 0;
    int m_depth = 0;
    int m_loops = 0; ///< loops around what is being read
};

} // namespace vitrine::jinja
