// SPDX-License-Identifier: GPL-3.0-or-later
// What a template says. The nodes know how to be evaluated and executed (evaluate.cpp, execute.cpp).
#pragma once
#include "engine/text/jinja/failure.h"
#include "engine/text/jinja/value.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vitrine::jinja {

class Interpreter;

struct Expression {
    explicit Expression(Position where)
        : position(where)
    {
    }
    virtual ~Expression() = default;
    /// Called through Interpreter::evaluate(), which counts and names the position of failures.
    virtual Value evaluate(Interpreter& interpreter) const = 0;
    const Position position;
};
using ExpressionPtr = std::unique_ptr<const Expression>;

/// How a statement ended.
enum class Flow { Normal, Break, Continue };

struct Statement {
    explicit Statement(Position where)
        : position(where)
    {
    }
    virtual ~Statement() = default;
    virtual Flow execute(Interpreter& interpreter) const = 0;
    const Position position;
};
using StatementPtr = std::unique_ptr<const Statement>;
using Body = std::vector<StatementPtr>;

// Expressions

struct Literal final : Expression {
    Literal(Position where, Value literal)
        : Expression(where)
        , value(std::move(literal))
    {
    }
    Value evaluate(Interpreter& interpreter) const override;
    Value value;
};

struct NameExpression final : Expression {
    NameExpression(Position where, std::string text)
        : Expression(where)
        , name(std::move(text))
    {
    }
    Value evaluate(Interpreter& interpreter) const override;
    std::string name;
};

/// `[a, b]` or `(a, b)`.
struct ListExpression final : Expression {
    using Expression::Expression;
    Value evaluate(Interpreter& interpreter) const override;
    std::vector<ExpressionPtr> items;
    bool isTuple = false;
};

struct DictExpression final : Expression {
    using Expression::Expression;
    Value evaluate(Interpreter& interpreter) const override;
    std::vector<std::pair<ExpressionPtr, ExpressionPtr>> entries;
};

/// `object.name`
struct AttributeExpression final : Expression {
    using Expression::Expression;
    Value evaluate(Interpreter& interpreter) const override;
    ExpressionPtr object;
    std::string name;
};

/// `object[index]`
struct ItemExpression final : Expression {
    using Expression::Expression;
    Value evaluate(Interpreter& interpreter) const override;
    ExpressionPtr object;
    ExpressionPtr index;
};

/// `object[start:stop:step]`; each may be missing.
struct SliceExpression final : Expression {
    using Expression::Expression;
    Value evaluate(Interpreter& interpreter) const override;
    ExpressionPtr object;
    ExpressionPtr start;
    ExpressionPtr stop;
    ExpressionPtr step;
};

/// What stands between the brackets of a call.
struct ArgumentList {
    std::vector<ExpressionPtr> positional;
    std::vector<std::pair<std::string, ExpressionPtr>> named;
    ExpressionPtr spreadList; ///< `*list`; may be missing
    ExpressionPtr spreadDict; ///< `**dict`; may be missing
};

struct CallExpression final : Expression {
    using Expression::Expression;
    Value evaluate(Interpreter& interpreter) const override;
    ExpressionPtr callee;
    ArgumentList arguments;
};

/// `input | name(arguments)`; without an input inside `{% filter %}` and `{% set x | … %}`.
struct FilterExpression final : Expression {
    using Expression::Expression;
    Value evaluate(Interpreter& interpreter) const override;
    Value apply(Interpreter& interpreter, const Value& value) const;
    ExpressionPtr input;
    std::string name;
    ArgumentList arguments;
};

/// `input is name(arguments)`
struct TestExpression final : Expression {
    using Expression::Expression;
    Value evaluate(Interpreter& interpreter) const override;
    ExpressionPtr input;
    std::string name;
    ArgumentList arguments;
};

struct NotExpression final : Expression {
    using Expression::Expression;
    Value evaluate(Interpreter& interpreter) const override;
    ExpressionPtr operand;
};

/// `a and b`, `a or b`: the operand that decides is the result.
struct LogicalExpression final : Expression {
    using Expression::Expression;
    Value evaluate(Interpreter& interpreter) const override;
    bool isAnd = false;
    ExpressionPtr left;
    ExpressionPtr right;
};

enum class ArithmeticOperator { Add, Subtract, Multiply, Divide, FloorDivide, Modulo, Power };

struct ArithmeticExpression final : Expression {
    using Expression::Expression;
    Value evaluate(Interpreter& interpreter) const override;
    ArithmeticOperator operation = ArithmeticOperator::Add;
    ExpressionPtr left;
    ExpressionPtr right;
};

/// `-a`, `+a`
struct SignExpression final : Expression {
    using Expression::Expression;
    Value evaluate(Interpreter& interpreter) const override;
    bool isNegative = false;
    ExpressionPtr operand;
};

/// `a ~ b ~ c`
struct ConcatExpression final : Expression {
    using Expression::Expression;
    Value evaluate(Interpreter& interpreter) const override;
    std::vector<ExpressionPtr> parts;
};

enum class CompareOperator { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual, In, NotIn };

/// `a < b <= c`: each neighbours' comparison must hold.
struct CompareExpression final : Expression {
    using Expression::Expression;
    Value evaluate(Interpreter& interpreter) const override;
    ExpressionPtr first;
    std::vector<std::pair<CompareOperator, ExpressionPtr>> rest;
};

/// `then if condition else otherwise`; undefined where there is no `otherwise`.
struct ConditionalExpression final : Expression {
    using Expression::Expression;
    Value evaluate(Interpreter& interpreter) const override;
    ExpressionPtr condition;
    ExpressionPtr then;
    ExpressionPtr otherwise;
};

// Statements

struct DataStatement final : Statement {
    DataStatement(Position where, std::string data)
        : Statement(where)
        , text(std::move(data))
    {
    }
    Flow execute(Interpreter& interpreter) const override;
    std::string text;
};

/// `{{ expression }}`
struct OutputStatement final : Statement {
    using Statement::Statement;
    Flow execute(Interpreter& interpreter) const override;
    ExpressionPtr expression;
};

struct IfStatement final : Statement {
    using Statement::Statement;
    Flow execute(Interpreter& interpreter) const override;
    std::vector<std::pair<ExpressionPtr, Body>> branches;
    Body otherwise;
};

/// What is assigned to: a name, an attribute of a namespace, or several targets that a list is unpacked to.
struct Target {
    Position position;
    std::string name;
    std::string attribute;        ///< of the namespace `name`; empty: the name itself
    std::vector<Target> unpacked; ///< not empty: in place of the name
};

struct ForStatement final : Statement {
    using Statement::Statement;
    Flow execute(Interpreter& interpreter) const override;
    Target target;
    ExpressionPtr iterable;
    ExpressionPtr condition; ///< `if`; may be missing
    Body body;
    Body otherwise;
};

struct SetStatement final : Statement {
    using Statement::Statement;
    Flow execute(Interpreter& interpreter) const override;
    Target target;
    ExpressionPtr value;
};

/// `{% set name | filters %}…{% endset %}`
struct SetBlockStatement final : Statement {
    using Statement::Statement;
    Flow execute(Interpreter& interpreter) const override;
    Target target;
    std::vector<std::unique_ptr<const FilterExpression>> filters;
    Body body;
};

/// A macro's parameters and body; also of the body of a `{% call %}` block.
struct MacroDefinition {
    std::string name;
    std::vector<std::string> parameters;
    std::vector<ExpressionPtr> defaults; ///< of the last parameters
    // Whether the body asks for what the parameters do not name.
    bool usesVarargs = false;
    bool usesKwargs = false;
    bool usesCaller = false;
    Body body;
};

struct MacroStatement final : Statement {
    using Statement::Statement;
    Flow execute(Interpreter& interpreter) const override;
    MacroDefinition macro;
};

/// `{% call(arguments) macro(…) %}…{% endcall %}`
struct CallBlockStatement final : Statement {
    using Statement::Statement;
    Flow execute(Interpreter& interpreter) const override;
    MacroDefinition caller;
    std::unique_ptr<const CallExpression> call;
};

/// `{% filter name %}…{% endfilter %}`
struct FilterBlockStatement final : Statement {
    using Statement::Statement;
    Flow execute(Interpreter& interpreter) const override;
    std::vector<std::unique_ptr<const FilterExpression>> filters;
    Body body;
};

/// `{% with a = 1 %}…{% endwith %}`
struct WithStatement final : Statement {
    using Statement::Statement;
    Flow execute(Interpreter& interpreter) const override;
    std::vector<std::pair<Target, ExpressionPtr>> assignments;
    Body body;
};

/// A body without a meaning of its own here: `{% generation %}` marks what the assistant says, for training.
struct GroupStatement final : Statement {
    using Statement::Statement;
    Flow execute(Interpreter& interpreter) const override;
    Body body;
};

struct LoopControlStatement final : Statement {
    LoopControlStatement(Position where, Flow ends)
        : Statement(where)
        , flow(ends)
    {
    }
    Flow execute(Interpreter& interpreter) const override;
    Flow flow;
};

} // namespace vitrine::jinja
