// SPDX-License-Identifier: GPL-3.0-or-later
// What operators work on: literals, names, brackets, and what can follow them.
#include "engine/text/jinja/parser.h"
#include "engine/text/jinja/parser_level.h"

#include <charconv>

namespace vitrine::jinja {

ExpressionPtr Parser::parsePrimary()
{
    switch (current().kind) {
    case Token::Kind::Name:
        return parseName();
    case Token::Kind::String:
        return parseString();
    case Token::Kind::Integer:
    case Token::Kind::Float:
        return parseNumber();
    default:
        break;
    }
    if (isOperator("("))
        return parseParentheses();
    if (isOperator("["))
        return parseList();
    if (isOperator("{"))
        return parseDict();
    unexpected("an expression");
}

ExpressionPtr Parser::parseName()
{
    const Token token = next();
    const auto isOneOf = [&token](std::string_view a, std::string_view b) {
        return token.text == a || token.text == b;
    };
    if (isOneOf("true", "True"))
        return std::make_unique<Literal>(token.position, true);
    if (isOneOf("false", "False"))
        return std::make_unique<Literal>(token.position, false);
    if (isOneOf("none", "None"))
        return std::make_unique<Literal>(token.position, Value::none());
    return std::make_unique<NameExpression>(token.position, token.text);
}

ExpressionPtr Parser::parseNumber()
{
    const Token token = next();
    std::string_view text = token.text;
    if (token.kind == Token::Kind::Float) {
        double value = 0;
        const auto error = std::from_chars(text.data(), text.data() + text.size(), value).ec;
        if (error == std::errc::result_out_of_range)
            failAt(token.position, "the number is too large or too small");
        return std::make_unique<Literal>(token.position, value);
    }
    int base = 10;
    if (text.size() > 2 && text[0] == '0' && text[1] > '9') {
        base = text[1] == 'x' || text[1] == 'X' ? 16 : text[1] == 'o' || text[1] == 'O' ? 8 : 2;
        text.remove_prefix(2);
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size())
        failAt(token.position, "the number is too large");
    return std::make_unique<Literal>(token.position, value);
}

ExpressionPtr Parser::parseString()
{
    Token token = next();
    while (current().kind == Token::Kind::String) // neighbours are one string
        token.text += next().text;
    return std::make_unique<Literal>(token.position, std::string_view(token.text));
}

ExpressionPtr Parser::parseParentheses()
{
    const Position position = current().position;
    expectOperator("(");
    if (skipOperator(")")) {
        auto empty = std::make_unique<ListExpression>(position);
        empty->isTuple = true;
        return empty;
    }
    ExpressionPtr expression = parseTuple();
    expectOperator(")");
    return expression;
}

ExpressionPtr Parser::parseList()
{
    auto list = std::make_unique<ListExpression>(current().position);
    expectOperator("[");
    while (!isOperator("]")) {
        if (!list->items.empty())
            expectOperator(",");
        if (isOperator("]"))
            break;
        list->items.push_back(parseExpression());
    }
    expectOperator("]");
    return list;
}

ExpressionPtr Parser::parseDict()
{
    auto dict = std::make_unique<DictExpression>(current().position);
    expectOperator("{");
    while (!isOperator("}")) {
        if (!dict->entries.empty())
            expectOperator(",");
        if (isOperator("}"))
            break;
        ExpressionPtr key = parseExpression();
        expectOperator(":");
        dict->entries.emplace_back(std::move(key), parseExpression());
    }
    expectOperator("}");
    return dict;
}

ExpressionPtr Parser::parsePostfix(ExpressionPtr expression)
{
    for (Chain chain(*this);; chain.grow()) {
        if (isOperator("."))
            expression = parseAttribute(std::move(expression));
        else if (isOperator("["))
            expression = parseSubscript(std::move(expression));
        else if (isOperator("("))
            expression = parseCall(std::move(expression));
        else
            return expression;
    }
}

ExpressionPtr Parser::parseFiltersAndTests(ExpressionPtr expression)
{
    for (Chain chain(*this);; chain.grow()) {
        if (isOperator("|")) {
            next();
            expression = parseFilter(std::move(expression));
        } else if (isName("is")) {
            expression = parseTest(std::move(expression));
        } else if (isOperator("(")) {
            expression = parseCall(std::move(expression));
        } else {
            return expression;
        }
    }
}

ExpressionPtr Parser::parseAttribute(ExpressionPtr object)
{
    const Position position = next().position;
    if (current().kind == Token::Kind::Integer) { // list.0
        auto item = std::make_unique<ItemExpression>(position);
        item->object = std::move(object);
        item->index = parseNumber();
        return item;
    }
    auto attribute = std::make_unique<AttributeExpression>(position);
    attribute->object = std::move(object);
    attribute->name = takeName("the name of an attribute");
    return attribute;
}

ExpressionPtr Parser::parseSubscript(ExpressionPtr object)
{
    const Position position = next().position;
    ExpressionPtr index;
    if (!isOperator(":"))
        index = parseExpression();
    if (isOperator(":"))
        return parseSlice(std::move(object), std::move(index), position);
    if (isOperator(",")) {
        auto tuple = std::make_unique<ListExpression>(position);
        tuple->isTuple = true;
        tuple->items.push_back(std::move(index));
        while (skipOperator(","))
            tuple->items.push_back(parseExpression());
        index = std::move(tuple);
    }
    expectOperator("]");
    auto item = std::make_unique<ItemExpression>(position);
    item->object = std::move(object);
    item->index = std::move(index);
    return item;
}

ExpressionPtr Parser::parseSlice(ExpressionPtr object, ExpressionPtr start, Position position)
{
    auto slice = std::make_unique<SliceExpression>(position);
    slice->object = std::move(object);
    slice->start = std::move(start);
    expectOperator(":");
    if (!isOperator(":") && !isOperator("]"))
        slice->stop = parseExpression();
    if (skipOperator(":") && !isOperator("]"))
        slice->step = parseExpression();
    expectOperator("]");
    return slice;
}

std::unique_ptr<CallExpression> Parser::parseCall(ExpressionPtr callee)
{
    auto call = std::make_unique<CallExpression>(current().position);
    call->callee = std::move(callee);
    call->arguments = parseArguments();
    return call;
}

std::unique_ptr<FilterExpression> Parser::parseFilter(ExpressionPtr input)
{
    auto filter = std::make_unique<FilterExpression>(current().position);
    filter->input = std::move(input);
    filter->name = parseDottedName();
    if (isOperator("("))
        filter->arguments = parseArguments();
    return filter;
}

ExpressionPtr Parser::parseTest(ExpressionPtr input)
{
    const Position position = next().position;
    const bool negated = skipName("not");
    auto test = std::make_unique<TestExpression>(position);
    test->input = std::move(input);
    test->name = parseDottedName();
    if (isOperator("(")) {
        test->arguments = parseArguments();
    } else if (beginsTestArgument()) {
        if (isName("is"))
            failAt(current().position, "tests cannot be chained with 'is'");
        test->arguments.positional.push_back(parsePostfix(parsePrimary()));
    }
    if (!negated)
        return test;
    auto negation = std::make_unique<NotExpression>(position);
    negation->operand = std::move(test);
    return negation;
}

bool Parser::beginsTestArgument() const
{
    switch (current().kind) {
    case Token::Kind::Name:
        return !isAnyName({"else", "or", "and"});
    case Token::Kind::String:
    case Token::Kind::Integer:
    case Token::Kind::Float:
        return true;
    default:
        return isOperator("[") || isOperator("{");
    }
}

std::string Parser::parseDottedName()
{
    std::string name = takeName("a name");
    while (skipOperator("."))
        name += "." + takeName("a name");
    return name;
}

ArgumentList Parser::parseArguments()
{
    ArgumentList arguments;
    expectOperator("(");
    while (!isOperator(")")) {
        parseArgument(arguments);
        if (!isOperator(")"))
            expectOperator(",");
    }
    expectOperator(")");
    return arguments;
}

void Parser::parseArgument(ArgumentList& arguments)
{
    const Position position = current().position;
    const bool isNamed = current().kind == Token::Kind::Name && following().kind == Token::Kind::Operator &&
                         following().text == "=";
    const bool mayFollow = !arguments.spreadDict && (isNamed || isOperator("**") || !arguments.spreadList);
    if (!mayFollow)
        failAt(position, "no argument may follow this one");
    if (skipOperator("**")) {
        arguments.spreadDict = parseExpression();
    } else if (skipOperator("*")) {
        arguments.spreadList = parseExpression();
    } else if (isNamed) {
        std::string name = next().text;
        next();
        arguments.named.emplace_back(std::move(name), parseExpression());
    } else if (!arguments.named.empty()) {
        failAt(position, "an argument without a name follows one with a name");
    } else {
        arguments.positional.push_back(parseExpression());
    }
}

} // namespace vitrine::jinja
