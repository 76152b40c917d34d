// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/text_operations.h"

#include "engine/text/jinja/budget.h"
#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/compare.h"

#include <algorithm>

namespace vitrine::jinja {
namespace {

/// The parts of a text, charged one by one.
class Parts {
public:
    Parts(const Text& text, Budget& budget)
        : m_text(text)
        , m_budget(budget)
    {
    }

    void add(std::size_t begin, std::size_t length = std::string::npos)
    {
        constexpr std::size_t kPartBytes = sizeof(Text) + 64; // it becomes a value in a list
        if (m_parts.size() >= kMaxItems)
            failHere("a list becomes longer than a million items");
        m_budget.create(std::min(length, m_text.size() - begin) + kPartBytes);
        m_parts.push_back(m_text.substr(begin, length));
    }
    void reverse() { std::ranges::reverse(m_parts); }
    [[nodiscard]] std::vector<Text> take() { return std::move(m_parts); }

private:
    const Text& m_text;
    Budget& m_budget;
    std::vector<Text> m_parts;
};

/// Python puts `by` before each character and at the end where `what` is empty.
Text insertedEverywhere(const Text& text, const Text& by, std::int64_t count, Budget& budget)
{
    Text result;
    std::size_t done = 0;
    for (; done < text.size() && count != 0; --count) {
        const std::size_t length = characterAt(text.bytes(), done).length;
        budget.step();
        budget.create(by.weight() + length);
        result.append(by);
        result.append(text.substr(done, length));
        done += length;
    }
    if (done == text.size() && count != 0)
        result.append(by);
    result.append(text.substr(done));
    return result;
}

std::size_t spacesFrom(std::string_view text, std::size_t at)
{
    while (at < text.size() && isSpace(characterAt(text, at).codepoint))
        at += characterAt(text, at).length;
    return at;
}

std::size_t wordFrom(std::string_view text, std::size_t at)
{
    while (at < text.size() && !isSpace(characterAt(text, at).codepoint))
        at += characterAt(text, at).length;
    return at;
}

bool isLineEnd(char32_t c)
{
    return (c >= 0x0a && c <= 0x0d) || (c >= 0x1c && c <= 0x1e) || c == 0x85 || c == 0x2028 || c == 0x2029;
}

Text filling(std::string_view fill, std::size_t times)
{
    std::string bytes;
    bytes.reserve(fill.size() * times);
    for (; times > 0; --times)
        bytes += fill;
    return Text(std::move(bytes));
}

} // namespace

Text replaced(const Text& text, std::string_view what, const Text& by, std::int64_t count, Budget& budget)
{
    if (what.empty())
        return insertedEverywhere(text, by, count, budget);
    budget.work(text.weight());
    budget.create(text.weight());
    Text result;
    std::size_t done = 0;
    for (std::size_t at = findText(text.bytes(), what); at != std::string::npos && count != 0;
         at = findText(text.bytes(), what, done), --count) {
        budget.work(by.weight());
        budget.create(by.weight());
        result.append(text.substr(done, at - done));
        result.append(by);
        done = at + what.size();
    }
    result.append(text.substr(done));
    return result;
}

std::vector<Text> splitAt(const Text& text, std::string_view separator, std::int64_t count, Budget& budget)
{
    if (separator.empty())
        failHere("the separator is empty");
    Parts parts(text, budget);
    std::size_t done = 0;
    for (std::size_t at = findText(text.bytes(), separator); at != std::string::npos && count != 0;
         at = findText(text.bytes(), separator, done), --count) {
        parts.add(done, at - done);
        done = at + separator.size();
    }
    parts.add(done);
    return parts.take();
}

std::vector<Text> splitAtFromRight(const Text& text, std::string_view separator, std::int64_t count,
                                   Budget& budget)
{
    if (separator.empty())
        failHere("the separator is empty");
    // Backwards it is the same search, and linear.
    const std::string backwards(text.bytes().rbegin(), text.bytes().rend());
    const std::string what(separator.rbegin(), separator.rend());
    Parts parts(text, budget);
    std::size_t done = 0; // from the right
    for (std::size_t at = findText(backwards, what); at != std::string::npos && count != 0;
         at = findText(backwards, what, done), --count) {
        parts.add(text.size() - at, at - done);
        done = at + what.size();
    }
    parts.add(0, text.size() - done);
    parts.reverse();
    return parts.take();
}

std::vector<Text> splitAtSpace(const Text& text, std::int64_t count, Budget& budget)
{
    Parts parts(text, budget);
    for (std::size_t at = spacesFrom(text.bytes(), 0); at < text.size(); at = spacesFrom(text.bytes(), at)) {
        if (count-- == 0) {
            parts.add(at); // Python keeps the space at the end of the rest
            break;
        }
        const std::size_t end = wordFrom(text.bytes(), at);
        parts.add(at, end - at);
        at = end;
    }
    return parts.take();
}

std::vector<Text> splitAtSpaceFromRight(const Text& text, std::int64_t count, Budget& budget)
{
    std::vector<TextRange> words;
    for (std::size_t at = spacesFrom(text.bytes(), 0); at < text.size(); at = spacesFrom(text.bytes(), at)) {
        budget.create(sizeof(TextRange));
        words.push_back({at, wordFrom(text.bytes(), at)});
        at = words.back().end;
    }
    const std::size_t kept =
        count < 0 ? words.size() : std::min(words.size(), static_cast<std::size_t>(count));
    const std::size_t first = words.size() - kept; // what stands before it stays together
    Parts parts(text, budget);
    if (first > 0)
        parts.add(0, words[first - 1].end);
    for (std::size_t i = first; i < words.size(); ++i)
        parts.add(words[i].begin, words[i].end - words[i].begin);
    return parts.take();
}

std::vector<Text> splitLines(const Text& text, bool keepEnds, Budget& budget)
{
    Parts lines(text, budget);
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size();) {
        const Character c = characterAt(text.bytes(), at);
        at += c.length;
        if (!isLineEnd(c.codepoint))
            continue;
        if (c.codepoint == U'\r' && at < text.size() && text.bytes()[at] == '\n')
            ++at;
        lines.add(begin, (keepEnds ? at : c.begin) - begin);
        begin = at;
    }
    if (begin < text.size())
        lines.add(begin);
    return lines.take();
}

std::size_t findLastText(std::string_view text, std::string_view what)
{
    const std::string backwards(text.rbegin(), text.rend());
    const std::size_t at = findText(backwards, std::string(what.rbegin(), what.rend()));
    return at == std::string::npos ? at : text.size() - at - what.size();
}

std::size_t countOf(std::string_view text, std::string_view what)
{
    if (what.empty())
        return characterCount(text) + 1;
    std::size_t count = 0;
    for (std::size_t at = findText(text, what); at != std::string::npos;
         at = findText(text, what, at + what.size()))
        ++count;
    return count;
}

Text aligned(const Text& text, std::int64_t width, Align align, std::string_view fill, Budget& budget)
{
    const auto missing = width - static_cast<std::int64_t>(characterCount(text.bytes()));
    if (missing <= 0)
        return text;
    if (missing > static_cast<std::int64_t>(kMaxTextBytes))
        failHere("a text becomes larger than 16 MiB");
    // Python's str.center(): the odd one goes to the left where the width is odd.
    const std::int64_t left = align == Align::Left    ? 0
                              : align == Align::Right ? missing
                                                      : missing / 2 + (missing & width & 1);
    const std::size_t filledBytes = fill.size() * static_cast<std::size_t>(missing);
    budget.work(text.weight() + filledBytes);
    budget.create(text.weight() + filledBytes);
    Text result = filling(fill, static_cast<std::size_t>(left));
    result.append(text);
    result.append(filling(fill, static_cast<std::size_t>(missing - left)));
    return result;
}

} // namespace vitrine::jinja
