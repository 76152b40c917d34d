// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/parser.h"
#include "engine/text/jinja/parser_level.h"

#include <algorithm>
#include <array>
#include <charconv>

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
