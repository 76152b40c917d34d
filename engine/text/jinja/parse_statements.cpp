// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/parser.h"
#include "engine/text/jinja/parser_level.h"

#include "engine/utf8.h"

#include <algorithm>
#include <span>
#include <utility>

namespace vitrine::jinja {

Body Parser::parseTemplate()
{
    Body body = parseBody({});
    if (current().kind != Token::Kind::End)
        unexpected("the end of the template");
    return body;
}

/// Up to the tag that begins with one of `ends`, whose `{%` is consumed; up to the template's end for no
/// ends.
Body Parser::parseBody(std::initializer_list<std::string_view> ends)
{
    const Level level(*this);
    Body body;
    while (true) {
        switch (current().kind) {
        case Token::Kind::Data: {
            const Token data = next();
            body.push_back(std::make_unique<DataStatement>(data.position, data.text));
            break;
        }
        case Token::Kind::VariableBegin:
            body.push_back(parseOutput());
            break;
        case Token::Kind::BlockBegin:
            next();
            if (isAnyName(ends))
                return body;
            body.push_back(parseTag());
            break;
        default:
            if (ends.size() > 0)
                unexpected("'{% " + std::string(*(ends.end() - 1)) + " %}'");
            return body;
        }
    }
}

StatementPtr Parser::parseOutput()
{
    auto output = std::make_unique<OutputStatement>(next().position);
    output->expression = parseTuple();
    if (current().kind != Token::Kind::VariableEnd)
        unexpected("'}}'");
    next();
    return output;
}

StatementPtr Parser::parseTag()
{
    if (isName("if"))
        return parseIf();
    if (isName("for"))
        return parseFor();
    if (isName("set"))
        return parseSet();
    if (isName("macro"))
        return parseMacro();
    if (isName("call"))
        return parseCallBlock();
    if (isName("filter"))
        return parseFilterBlock();
    if (isName("with"))
        return parseWith();
    if (isName("generation"))
        return parseGroup("endgeneration");
    if (isName("break"))
        return parseLoopControl(Flow::Break);
    if (isName("continue"))
        return parseLoopControl(Flow::Continue);
    failAt(current().position, "the tag '" + printable(current().text) + "' is not known here");
}

void Parser::endTag()
{
    if (current().kind != Token::Kind::BlockEnd)
        unexpected("'%}'");
    next();
}

StatementPtr Parser::parseIf()
{
    auto statement = std::make_unique<IfStatement>(next().position);
    while (true) {
        ExpressionPtr condition = parseTuple(false);
        endTag();
        Body body = parseBody({"elif", "else", "endif"});
        statement->branches.emplace_back(std::move(condition), std::move(body));
        if (!skipName("elif"))
            break;
    }
    if (skipName("else")) {
        endTag();
        statement->otherwise = parseBody({"endif"});
    }
    expectName("endif");
    endTag();
    return statement;
}

StatementPtr Parser::parseFor()
{
    auto statement = std::make_unique<ForStatement>(next().position);
    statement->target = parseTarget();
    expectName("in");
    statement->iterable = parseTuple(false);
    if (skipName("if"))
        statement->condition = parseExpression();
    skipName("recursive"); // every loop can be called
    endTag();
    statement->body = parseLoopBody({"else", "endfor"});
    if (skipName("else")) {
        endTag();
        statement->otherwise = parseBody({"endfor"});
    }
    expectName("endfor");
    endTag();
    return statement;
}

Body Parser::parseLoopBody(std::initializer_list<std::string_view> ends)
{
    ++m_loops;
    Body body = parseBody(ends);
    --m_loops;
    return body;
}

StatementPtr Parser::parseSet()
{
    const Position position = next().position;
    Target target = parseTarget();
    if (skipOperator("=")) {
        auto statement = std::make_unique<SetStatement>(position);
        statement->target = std::move(target);
        statement->value = parseTuple();
        endTag();
        return statement;
    }
    auto block = std::make_unique<SetBlockStatement>(position);
    block->target = std::move(target);
    if (skipOperator("|"))
        block->filters = parseFilterChain();
    endTag();
    block->body = parseBody({"endset"});
    expectName("endset");
    endTag();
    return block;
}

Target Parser::parseTarget()
{
    Target first = parseTargetPart();
    if (!isOperator(","))
        return first;
    Target tuple{first.position, {}, {}, {}};
    tuple.unpacked.push_back(std::move(first));
    while (skipOperator(",") && !isName("in") && !isOperator("=") && !isOperator(")"))
        tuple.unpacked.push_back(parseTargetPart());
    return tuple;
}

Target Parser::parseTargetPart()
{
    const Level level(*this);
    const Position position = current().position;
    if (skipOperator("(")) {
        Target inner = parseTarget();
        expectOperator(")");
        return inner;
    }
    if (isAnyName({"true", "false", "none", "True", "False", "None"}))
        failAt(position, "'" + current().text + "' cannot be assigned to");
    Target target{position, takeName("a name to assign to"), {}, {}};
    if (skipOperator("."))
        target.attribute = takeName("the name of an attribute");
    return target;
}

std::vector<std::unique_ptr<const FilterExpression>> Parser::parseFilterChain()
{
    std::vector<std::unique_ptr<const FilterExpression>> filters;
    do
        filters.push_back(parseFilter(nullptr));
    while (skipOperator("|"));
    return filters;
}

StatementPtr Parser::parseMacro()
{
    auto statement = std::make_unique<MacroStatement>(next().position);
    statement->macro.name = takeName("the name of the macro");
    parseSignature(statement->macro);
    endTag();
    parseMacroBody(statement->macro, "endmacro");
    return statement;
}

void Parser::parseMacroBody(MacroDefinition& macro, std::string_view end)
{
    const std::size_t begin = m_at;
    const int loops = std::exchange(m_loops, 0); // a loop around a macro is none inside it
    macro.body = parseBody({end});
    m_loops = loops;
    macro.usesVarargs = namesSince(begin, "varargs");
    macro.usesKwargs = namesSince(begin, "kwargs");
    macro.usesCaller = namesSince(begin, "caller");
    expectName(end);
    endTag();
}

bool Parser::namesSince(std::size_t begin, std::string_view name) const
{
    const std::span<const Token> tokens = std::span(m_tokens).subspan(begin, m_at - begin);
    return std::ranges::any_of(
        tokens, [name](const Token& token) { return token.kind == Token::Kind::Name && token.text == name; });
}

void Parser::parseSignature(MacroDefinition& macro)
{
    expectOperator("(");
    while (!isOperator(")")) {
        if (!macro.parameters.empty())
            expectOperator(",");
        macro.parameters.push_back(takeName("the name of a parameter"));
        if (skipOperator("="))
            macro.defaults.push_back(parseExpression());
        else if (!macro.defaults.empty())
            failAt(current().position, "a parameter without a default follows one with a default");
    }
    expectOperator(")");
}

StatementPtr Parser::parseCallBlock()
{
    auto statement = std::make_unique<CallBlockStatement>(next().position);
    statement->caller.name = "caller";
    if (isOperator("("))
        parseSignature(statement->caller);
    ExpressionPtr call = parseExpression();
    const auto* isCall = dynamic_cast<const CallExpression*>(call.get());
    if (!isCall)
        failAt(statement->position, "a call is expected in a call block");
    call.release();
    statement->call.reset(isCall);
    endTag();
    parseMacroBody(statement->caller, "endcall");
    return statement;
}

StatementPtr Parser::parseFilterBlock()
{
    auto statement = std::make_unique<FilterBlockStatement>(next().position);
    statement->filters = parseFilterChain();
    endTag();
    statement->body = parseBody({"endfilter"});
    expectName("endfilter");
    endTag();
    return statement;
}

StatementPtr Parser::parseWith()
{
    auto statement = std::make_unique<WithStatement>(next().position);
    while (current().kind != Token::Kind::BlockEnd) {
        if (!statement->assignments.empty())
            expectOperator(",");
        Target target = parseTargetPart();
        expectOperator("=");
        statement->assignments.emplace_back(std::move(target), parseExpression());
    }
    endTag();
    statement->body = parseBody({"endwith"});
    expectName("endwith");
    endTag();
    return statement;
}

StatementPtr Parser::parseGroup(std::string_view end)
{
    auto statement = std::make_unique<GroupStatement>(next().position);
    endTag();
    statement->body = parseBody({end});
    expectName(end);
    endTag();
    return statement;
}

StatementPtr Parser::parseLoopControl(Flow flow)
{
    const Token token = next();
    if (m_loops == 0)
        failAt(token.position, "'" + token.text + "' stands outside a loop");
    endTag();
    return std::make_unique<LoopControlStatement>(token.position, flow);
}

} // namespace vitrine::jinja
