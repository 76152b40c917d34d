// SPDX-License-Identifier: GPL-3.0-or-later
// Operators and what binds them; operands are in parse_operands.cpp.
#include "engine/text/jinja/parser.h"
#include "engine/text/jinja/parser_level.h"

#include <algorithm>
#include <array>

namespace vitrine::jinja {
namespace {

struct ComparisonName {
    std::string_view text;
    CompareOperator operation;
};
constexpr std::array kComparisons{
    ComparisonName{"==", CompareOperator::Equal},  ComparisonName{"!=", CompareOperator::NotEqual},
    ComparisonName{"<", CompareOperator::Less},    ComparisonName{"<=", CompareOperator::LessOrEqual},
    ComparisonName{">", CompareOperator::Greater}, ComparisonName{">=", CompareOperator::GreaterOrEqual},
};

} // namespace

ExpressionPtr Parser::parseExpression()
{
    const Level level(*this);
    return parseConditional();
}

ExpressionPtr Parser::parseTuple(bool mayBeConditional)
{
    const auto part = [&] { return mayBeConditional ? parseExpression() : parseOr(); };
    const Position position = current().position;
    ExpressionPtr first = part();
    if (!isOperator(","))
        return first;
    auto tuple = std::make_unique<ListExpression>(position);
    tuple->isTuple = true;
    tuple->items.push_back(std::move(first));
    const auto ends = [this] {
        return current().kind == Token::Kind::BlockEnd || current().kind == Token::Kind::VariableEnd ||
               isOperator(")");
    };
    while (skipOperator(",") && !ends())
        tuple->items.push_back(part());
    return tuple;
}

ExpressionPtr Parser::parseConditional()
{
    const Position position = current().position;
    ExpressionPtr expression = parseOr();
    Chain chain(*this);
    while (skipName("if")) {
        chain.grow();
        auto conditional = std::make_unique<ConditionalExpression>(position);
        conditional->then = std::move(expression);
        conditional->condition = parseOr();
        if (skipName("else"))
            conditional->otherwise = parseExpression();
        expression = std::move(conditional);
    }
    return expression;
}

ExpressionPtr Parser::parseOr()
{
    const Position position = current().position;
    ExpressionPtr left = parseAnd();
    Chain chain(*this);
    while (skipName("or")) {
        chain.grow();
        auto logical = std::make_unique<LogicalExpression>(position);
        logical->left = std::move(left);
        logical->right = parseAnd();
        left = std::move(logical);
    }
    return left;
}

ExpressionPtr Parser::parseAnd()
{
    const Position position = current().position;
    ExpressionPtr left = parseNot();
    Chain chain(*this);
    while (skipName("and")) {
        chain.grow();
        auto logical = std::make_unique<LogicalExpression>(position);
        logical->isAnd = true;
        logical->left = std::move(left);
        logical->right = parseNot();
        left = std::move(logical);
    }
    return left;
}

ExpressionPtr Parser::parseNot()
{
    if (!isName("not"))
        return parseCompare();
    const Level level(*this);
    auto negation = std::make_unique<NotExpression>(next().position);
    negation->operand = parseNot();
    return negation;
}

ExpressionPtr Parser::parseCompare()
{
    const Position position = current().position;
    auto compare = std::make_unique<CompareExpression>(position);
    compare->first = parseSum();
    while (true) {
        const auto* symbol =
            std::ranges::find_if(kComparisons, [this](auto& name) { return isOperator(name.text); });
        if (symbol != kComparisons.end()) {
            next();
            compare->rest.emplace_back(symbol->operation, parseSum());
        } else if (skipName("in")) {
            compare->rest.emplace_back(CompareOperator::In, parseSum());
        } else if (isName("not") && following().kind == Token::Kind::Name && following().text == "in") {
            next();
            next();
            compare->rest.emplace_back(CompareOperator::NotIn, parseSum());
        } else {
            break;
        }
    }
    if (compare->rest.empty())
        return std::move(compare->first);
    return compare;
}

ExpressionPtr Parser::arithmetic(ArithmeticOperator operation, ExpressionPtr left, ExpressionPtr right,
                                 Position position)
{
    auto expression = std::make_unique<ArithmeticExpression>(position);
    expression->operation = operation;
    expression->left = std::move(left);
    expression->right = std::move(right);
    return expression;
}

ExpressionPtr Parser::parseSum()
{
    ExpressionPtr left = parseConcat();
    Chain chain(*this);
    while (isOperator("+") || isOperator("-")) {
        chain.grow();
        const Token token = next();
        const auto operation = token.text == "+" ? ArithmeticOperator::Add : ArithmeticOperator::Subtract;
        left = arithmetic(operation, std::move(left), parseConcat(), token.position);
    }
    return left;
}

ExpressionPtr Parser::parseConcat()
{
    const Position position = current().position;
    ExpressionPtr first = parseProduct();
    if (!isOperator("~"))
        return first;
    auto concat = std::make_unique<ConcatExpression>(position);
    concat->parts.push_back(std::move(first));
    while (skipOperator("~"))
        concat->parts.push_back(parseProduct());
    return concat;
}

ExpressionPtr Parser::parseProduct()
{
    ExpressionPtr left = parsePower();
    Chain chain(*this);
    while (isOperator("*") || isOperator("/") || isOperator("//") || isOperator("%")) {
        chain.grow();
        const Token token = next();
        const auto operation = token.text == "*"    ? ArithmeticOperator::Multiply
                               : token.text == "/"  ? ArithmeticOperator::Divide
                               : token.text == "//" ? ArithmeticOperator::FloorDivide
                                                    : ArithmeticOperator::Modulo;
        left = arithmetic(operation, std::move(left), parsePower(), token.position);
    }
    return left;
}

ExpressionPtr Parser::parsePower()
{
    ExpressionPtr left = parseUnary(true);
    Chain chain(*this);
    while (isOperator("**")) {
        chain.grow();
        const Position position = next().position;
        left = arithmetic(ArithmeticOperator::Power, std::move(left), parseUnary(true), position);
    }
    return left;
}

ExpressionPtr Parser::parseUnary(bool withFilters)
{
    ExpressionPtr expression;
    if (isOperator("-") || isOperator("+")) {
        const Level level(*this);
        const Token token = next();
        auto sign = std::make_unique<SignExpression>(token.position);
        sign->isNegative = token.text == "-";
        sign->operand = parseUnary(false);
        expression = std::move(sign);
    } else {
        expression = parsePrimary();
    }
    expression = parsePostfix(std::move(expression));
    return withFilters ? parseFiltersAndTests(std::move(expression)) : std::move(expression);
}

} // namespace vitrine::jinja
