// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/text_operations.h"

#include "engine/text/jinja/budget.h"
#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/compare.h"

#include <algorithm>

namespace vitrine::jinja {
namespace {

void addPart(std::vector<Text>& parts, Text part)
{
    if (parts.size() >= kMaxItems)
        failHere("a list becomes longer than a million items");
    parts.push_back(std::move(part));
}

/// Python puts `by` before each character and at the end where `what` is empty.
Text insertedEverywhere(const Text& text, const Text& by, std::int64_t count)
{
    Text result;
    std::size_t done = 0;
    for (; done < text.size() && count != 0; --count) {
        const std::size_t length = characterAt(text.bytes(), done).length;
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

void appendFill(Text& text, std::string_view fill, std::int64_t times)
{
    for (; times > 0; --times)
        text.append(fill);
}

} // namespace

Text replaced(const Text& text, std::string_view what, const Text& by, std::int64_t count)
{
    if (what.empty())
        return insertedEverywhere(text, by, count);
    Text result;
    std::size_t done = 0;
    for (std::size_t at = findText(text.bytes(), what); at != std::string::npos && count != 0;
         at = findText(text.bytes(), what, done), --count) {
        result.append(text.substr(done, at - done));
        result.append(by);
        done = at + what.size();
    }
    result.append(text.substr(done));
    return result;
}

std::vector<Text> splitAt(const Text& text, std::string_view separator, std::int64_t count)
{
    if (separator.empty())
        failHere("the separator is empty");
    std::vector<Text> parts;
    std::size_t done = 0;
    for (std::size_t at = findText(text.bytes(), separator); at != std::string::npos && count != 0;
         at = findText(text.bytes(), separator, done), --count) {
        addPart(parts, text.substr(done, at - done));
        done = at + separator.size();
    }
    addPart(parts, text.substr(done));
    return parts;
}

std::vector<Text> splitAtFromRight(const Text& text, std::string_view separator, std::int64_t count)
{
    if (separator.empty())
        failHere("the separator is empty");
    // Backwards it is the same search, and linear.
    const std::string backwards(text.bytes().rbegin(), text.bytes().rend());
    const std::string what(separator.rbegin(), separator.rend());
    std::vector<Text> parts;
    std::size_t done = 0; // from the right
    for (std::size_t at = findText(backwards, what); at != std::string::npos && count != 0;
         at = findText(backwards, what, done), --count) {
        addPart(parts, text.substr(text.size() - at, at - done));
        done = at + what.size();
    }
    addPart(parts, text.substr(0, text.size() - done));
    std::ranges::reverse(parts);
    return parts;
}

std::vector<Text> splitAtSpace(const Text& text, std::int64_t count)
{
    std::vector<Text> parts;
    for (std::size_t at = spacesFrom(text.bytes(), 0); at < text.size(); at = spacesFrom(text.bytes(), at)) {
        if (count-- == 0) {
            addPart(parts, text.substr(at)); // Python keeps the space at the end of the rest
            break;
        }
        const std::size_t end = wordFrom(text.bytes(), at);
        addPart(parts, text.substr(at, end - at));
        at = end;
    }
    return parts;
}

std::vector<Text> splitAtSpaceFromRight(const Text& text, std::int64_t count)
{
    std::vector<TextRange> words;
    for (std::size_t at = spacesFrom(text.bytes(), 0); at < text.size(); at = spacesFrom(text.bytes(), at)) {
        words.push_back({at, wordFrom(text.bytes(), at)});
        at = words.back().end;
    }
    const std::size_t kept =
        count < 0 ? words.size() : std::min(words.size(), static_cast<std::size_t>(count));
    const std::size_t first = words.size() - kept; // what stands before it stays together
    std::vector<Text> parts;
    if (first > 0)
        addPart(parts, text.substr(0, words[first - 1].end));
    for (std::size_t i = first; i < words.size(); ++i)
        addPart(parts, text.substr(words[i].begin, words[i].end - words[i].begin));
    return parts;
}

std::vector<Text> splitLines(const Text& text, bool keepEnds)
{
    std::vector<Text> lines;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size();) {
        const Character c = characterAt(text.bytes(), at);
        at += c.length;
        if (!isLineEnd(c.codepoint))
            continue;
        if (c.codepoint == U'\r' && at < text.size() && text.bytes()[at] == '\n')
            ++at;
        addPart(lines, text.substr(begin, (keepEnds ? at : c.begin) - begin));
        begin = at;
    }
    if (begin < text.size())
        addPart(lines, text.substr(begin));
    return lines;
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

Text aligned(const Text& text, std::int64_t width, Align align, std::string_view fill)
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
    Text result;
    appendFill(result, fill, left);
    result.append(text);
    appendFill(result, fill, missing - left);
    return result;
}

} // namespace vitrine::jinja
