// SPDX-License-Identifier: GPL-3.0-or-later
// The check table of the row operations: operation × vector instruction set × size.
#include "kernels/ops.h"
#include "kernels/reference.h"
#include "kernels/rope.h"
#include "tests/kernels/check.h"

#include <functional>

using namespace vitrine::kernels;

class TestOps : public QObject {
    Q_OBJECT

private slots:
    void equalsTheReference_data();
    void equalsTheReference();
    void argmaxTakesTheFirstOfEquals_data() { listTargets(); }
    void argmaxTakesTheFirstOfEquals();
    void argmaxPassesOverNaN_data() { listTargets(); }
    void argmaxPassesOverNaN();
    void siluOfGreatNumbersIsFinite_data() { listTargets(); }
    void siluOfGreatNumbersIsFinite();
    void geluOfGreatNumbersIsFinite_data() { listTargets(); }
    void geluOfGreatNumbersIsFinite();
    void softmaxOfGreatNumbersAddsUpToOne_data() { listTargets(); }
    void softmaxOfGreatNumbersAddsUpToOne();
    void ropeFrequenciesFollowTheDefinition();
    void yarnScalesFrequenciesByParts();

private:
    void listTargets();
};

namespace {

/// Actual and expected values of one operation on one input size, and what may lie between them.
struct Outcome {
    ExactFloats actual;
    std::vector<double> expected;
    std::function<double(std::size_t)> tolerance;
};

std::function<double(std::size_t)> relativeTo(const std::vector<double>& expected, double roundings)
{
    return [&expected, roundings](std::size_t i) {
        return roundings * kEpsilon * std::abs(expected[i]) + 1e-44;
    };
}

/// n squares, their sum, the root, two products.
Outcome checkRmsNorm(std::size_t size)
{
    const ExactFloats x(Random(1).floats(size, 3));
    const ExactFloats weight(Random(2).floats(size));
    Outcome outcome{ExactFloats(size), std::vector<double>(size), {}};
    rmsNorm(x.constSpan(), weight.constSpan(), 1e-5F, outcome.actual.span());
    reference::rmsNorm(x.constSpan(), weight.constSpan(), 1e-5F, outcome.expected);
    outcome.tolerance = relativeTo(outcome.expected, 4 + static_cast<double>(size) / 2);
    return outcome;
}

Outcome checkAddRmsNorm(std::size_t size)
{
    const ExactFloats residual(Random(1).floats(size, 3));
    const ExactFloats delta(Random(2).floats(size));
    const ExactFloats weight(Random(3).floats(size));
    ExactFloats sum(size);
    for (std::size_t i = 0; i < size; ++i)
        sum[i] = residual[i] + delta[i];
    Outcome outcome{ExactFloats(size), std::vector<double>(size), {}};
    addRmsNorm(residual.span(), delta.constSpan(), weight.constSpan(), 1e-5F, outcome.actual.span());
    reference::rmsNorm(sum.constSpan(), weight.constSpan(), 1e-5F, outcome.expected);
    outcome.tolerance = relativeTo(outcome.expected, 4 + static_cast<double>(size) / 2);
    if (!sameBits(residual.constSpan(), sum.constSpan()))
        outcome.actual[0] = std::numeric_limits<float>::quiet_NaN();
    return outcome;
}

Outcome checkAdd(std::size_t size)
{
    const ExactFloats x(Random(1).floats(size));
    Outcome outcome{ExactFloats(Random(2).floats(size)), {}, [](std::size_t) { return 0.0; }};
    for (std::size_t i = 0; i < size; ++i)
        outcome.expected.push_back(x[i] + outcome.actual[i]);
    add(x.constSpan(), outcome.actual.span());
    return outcome;
}

Outcome checkScale(std::size_t size)
{
    Outcome outcome{ExactFloats(Random(2).floats(size)), {}, [](std::size_t) { return 0.0; }};
    for (std::size_t i = 0; i < size; ++i)
        outcome.expected.push_back(0.3F * outcome.actual[i]);
    scale(0.3F, outcome.actual.span());
    return outcome;
}

/// The exponential is good to 1 in the last place at small arguments; at x its error is that of x, |x|
/// epsilon.
Outcome checkSiluMul(std::size_t size)
{
    const ExactFloats gate(Random(1).floats(size, 20));
    const ExactFloats up(Random(2).floats(size, 5));
    Outcome outcome{ExactFloats(size), std::vector<double>(size), {}};
    siluMul(gate.constSpan(), up.constSpan(), outcome.actual.span());
    reference::siluMul(gate.constSpan(), up.constSpan(), outcome.expected);
    outcome.tolerance = relativeTo(outcome.expected, 8 + 20);
    return outcome;
}

/// The argument of the exponential is a cubic, 6 roundings of at most 2 |u|; at 6 standard deviations that
/// is 30.
Outcome checkGeluMul(std::size_t size)
{
    const ExactFloats gate(Random(1).floats(size, 6));
    const ExactFloats up(Random(2).floats(size, 5));
    Outcome outcome{ExactFloats(size), std::vector<double>(size), {}};
    geluMul(gate.constSpan(), up.constSpan(), outcome.actual.span());
    reference::geluMul(gate.constSpan(), up.constSpan(), outcome.expected);
    outcome.tolerance = [tight = relativeTo(outcome.expected, 8 + 6 * 30)](std::size_t i) {
        return tight(i) + 1e-12; // where the sum of the definition cancels, even in double
    };
    return outcome;
}

Outcome checkSoftCap(std::size_t size)
{
    const std::vector<float> values = Random(1).floats(size, 40);
    Outcome outcome{ExactFloats(values), {}, {}};
    softCap(30, outcome.actual.span());
    for (const float value : values)
        outcome.expected.push_back(reference::softCapped(value, 30));
    outcome.tolerance = relativeTo(outcome.expected, 8 + 4);
    return outcome;
}

Outcome checkSoftmax(std::size_t size)
{
    const std::vector<float> values = Random(1).floats(size, 10);
    Outcome outcome{ExactFloats(values), std::vector<double>(size), {}};
    softmax(outcome.actual.span());
    reference::softmax(values, outcome.expected);
    outcome.tolerance = relativeTo(outcome.expected, 8 + 20 + static_cast<double>(size));
    return outcome;
}

/// `size` pairs in each of 3 heads with one dimension more than is rotated. Each result is two products.
Outcome checkRope(RopeKind kind, std::size_t size)
{
    const ExactFloats cosines(Random(1).floats(size));
    const ExactFloats sines(Random(2).floats(size));
    const std::size_t headDim = 2 * size + 1;
    const std::vector<float> heads = Random(3).floats(3 * headDim);
    Outcome outcome{ExactFloats(heads), std::vector<double>(heads.size()), {}};
    rope(kind, cosines.constSpan(), sines.constSpan(), headDim, outcome.actual.span());
    reference::rope(kind, cosines.constSpan(), sines.constSpan(), headDim, heads, outcome.expected);
    outcome.tolerance = [](std::size_t) { return 4 * kEpsilon; };
    return outcome;
}

Outcome checkArgmax(std::size_t size)
{
    const ExactFloats values(Random(1).floats(size));
    Outcome outcome{ExactFloats(1), {0}, [](std::size_t) { return 0.0; }};
    outcome.actual[0] = size == 0 ? 0.0F : static_cast<float>(argmax(values.constSpan()));
    outcome.expected[0] = size == 0 ? 0.0 : static_cast<double>(reference::argmax(values.constSpan()));
    return outcome;
}

struct Operation {
    const char* name;
    std::function<Outcome(std::size_t)> check;
};

const std::vector<Operation>& operations()
{
    static const std::vector<Operation> all{
        {"rmsNorm", checkRmsNorm},
        {"addRmsNorm", checkAddRmsNorm},
        {"add", checkAdd},
        {"scale", checkScale},
        {"siluMul", checkSiluMul},
        {"geluMul", checkGeluMul},
        {"softCap", checkSoftCap},
        {"softmax", checkSoftmax},
        {"rope norm", [](std::size_t size) { return checkRope(RopeKind::Norm, size); }},
        {"rope neox", [](std::size_t size) { return checkRope(RopeKind::NeoX, size); }},
        {"argmax", checkArgmax},
    };
    return all;
}

/// Around the registers of 1, 4, 8 and 16 floats and twice these; then the starter model's.
constexpr std::size_t kSizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 576, 1536, 4097};

SimdTarget targetAt(int index)
{
    return simdTargets()[static_cast<std::size_t>(index)];
}

} // namespace

void TestOps::listTargets()
{
    QTest::addColumn<int>("target");
    int index = 0;
    for (const SimdTarget& target : simdTargets())
        QTest::newRow(target.name.c_str()) << index++;
}

void TestOps::equalsTheReference_data()
{
    QTest::addColumn<int>("operation");
    QTest::addColumn<int>("target");
    for (int operation = 0; operation < int(operations().size()); ++operation)
        for (int target = 0; target < int(simdTargets().size()); ++target)
            QTest::addRow("%s %s", operations()[std::size_t(operation)].name, targetAt(target).name.c_str())
                << operation << target;
}

void TestOps::equalsTheReference()
{
    QFETCH(int, operation);
    QFETCH(int, target);
    const OnTarget on(targetAt(target));
    for (const std::size_t size : kSizes) {
        const Outcome outcome = operations()[std::size_t(operation)].check(size);
        QCOMPARE(outcome.actual.size(), outcome.expected.size());
        const QString wrong = firstDifference(outcome.actual, outcome.expected, outcome.tolerance);
        QVERIFY2(wrong.isEmpty(), qPrintable(QString("size %1: %2").arg(size).arg(wrong)));
    }
}

void TestOps::argmaxTakesTheFirstOfEquals()
{
    QFETCH(int, target);
    const OnTarget on(targetAt(target));
    for (const std::size_t size : kSizes)
        for (std::size_t first = 0; first < std::min<std::size_t>(size, 40); ++first) {
            const ExactFloats values(std::vector<float>(size, -1.0F));
            for (std::size_t i = first; i < size; i += 3)
                values[i] = 5;
            QCOMPARE(argmax(values.constSpan()), first);
        }
}

void TestOps::argmaxPassesOverNaN()
{
    QFETCH(int, target);
    const OnTarget on(targetAt(target));
    const ExactFloats values(40); // all NaN
    QCOMPARE(argmax(values.constSpan()), std::size_t{0});
    values[21] = -std::numeric_limits<float>::infinity();
    QCOMPARE(argmax(values.constSpan()), std::size_t{21});
    values[39] = -3;
    QCOMPARE(argmax(values.constSpan()), std::size_t{39});
}

void TestOps::siluOfGreatNumbersIsFinite()
{
    QFETCH(int, target);
    const OnTarget on(targetAt(target));
    const ExactFloats gate(std::vector<float>{1e30F, -1e30F, 90, -90, 200, -200, 0, -0.0F});
    const ExactFloats up(std::vector<float>(8, 1.0F));
    ExactFloats out(8);
    siluMul(gate.constSpan(), up.constSpan(), out.span());
    for (std::size_t i = 0; i < 8; ++i)
        QVERIFY(std::abs(out[i] - std::max(gate[i], 0.0F)) <= std::abs(gate[i]) * 1e-37F);
}

void TestOps::geluOfGreatNumbersIsFinite()
{
    QFETCH(int, target);
    const OnTarget on(targetAt(target));
    const ExactFloats gate(std::vector<float>{1e30F, -1e30F, 90, -90, 200, -200, 0, -0.0F});
    const ExactFloats up(std::vector<float>(8, 1.0F));
    ExactFloats out(8);
    geluMul(gate.constSpan(), up.constSpan(), out.span());
    for (std::size_t i = 0; i < 8; ++i)
        QVERIFY(std::abs(out[i] - std::max(gate[i], 0.0F)) <= std::abs(gate[i]) * 1e-37F);
}

void TestOps::softmaxOfGreatNumbersAddsUpToOne()
{
    QFETCH(int, target);
    const OnTarget on(targetAt(target));
    const ExactFloats values(Random(1).floats(100, 1e30F));
    values[50] = -std::numeric_limits<float>::infinity();
    softmax(values.span());
    QCOMPARE(values[50], 0.0F);
    double sum = 0;
    for (const float value : values.constSpan())
        sum += value;
    QVERIFY(std::abs(sum - 1) < 1e-5);
}

void TestOps::ropeFrequenciesFollowTheDefinition()
{
    std::vector<double> frequencies(32);
    ropeFrequencies(10000, {}, frequencies);
    QCOMPARE(frequencies[0], 1.0);
    QCOMPARE(frequencies[16], 0.01); // 10000^(-2 * 16 / 64)
    const std::vector<float> factors(32, 4.0F);
    ropeFrequencies(10000, factors, frequencies);
    QCOMPARE(frequencies[16], 0.0025);
    std::vector<float> cosines(32);
    std::vector<float> sines(32);
    ropeAngles(100000, frequencies, 2, cosines, sines); // an angle that float would round to 1/128
    QCOMPARE(cosines[0], static_cast<float>(2 * std::cos(25000.0)));
    QCOMPARE(sines[16], static_cast<float>(2 * std::sin(250.0)));
}

/// The paper's example: 64 pairs, base 10,000, 4,096 tokens grown 8 times. The pair i turns
/// 4096 * 10000^(-i / 64) / (2 pi) times: 32 times at i = 20.95, once at i = 45.03.
void TestOps::yarnScalesFrequenciesByParts()
{
    std::vector<double> plain(64);
    ropeFrequencies(10000, {}, plain);
    std::vector<double> scaled = plain;
    scaleFrequenciesByParts(10000, 8, {.originalContext = 4096}, scaled);
    for (const std::size_t kept : {0U, 10U, 20U})
        QCOMPARE(scaled[kept], plain[kept]);
    for (const std::size_t divided : {46U, 63U})
        QCOMPARE(scaled[divided], plain[divided] / 8);
    QCOMPARE(scaled[33], plain[33] * (0.5 + 0.5 / 8)); // half way from 20 to 46
}

QTEST_APPLESS_MAIN(TestOps)
#include "test_ops.moc"
