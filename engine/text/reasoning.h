// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace vitrine {

/// How a family of models marks a part of what it writes.
struct ReasoningMarkers {
    std::string_view open;
    std::string_view close;
    std::string_view next{};  ///< of a channel: stands before the part that follows
    bool marksAnswer = false; ///< the part is the answer itself
    /// Marks are put together from tokens that may mean something else in other vocabularies.
    [[nodiscard]] bool isChannel() const { return !next.empty() || marksAnswer; }
};
/// How known families mark what they think before they answer.
[[nodiscard]] std::span<const ReasoningMarkers> reasoningMarkers() noexcept;
/// Texts of the tokens that channels are marked with.
[[nodiscard]] std::span<const std::string_view> channelTokens() noexcept;
/// Those that a prompt opens at its end ("… <think>\n"): what comes then is inside. nullptr: none.
[[nodiscard]] const ReasoningMarkers* openedReasoning(std::string_view prompt) noexcept;

/// An answer of a model that thinks first, told apart. Views into the text.
struct SplitAnswer {
    std::string_view reasoning; ///< without its markers and the white space around it
    std::string_view answer;    ///< without the white space before it, where there is reasoning
};

/// Tells apart what stands between "<think>" and "</think>" (or another pair) in an answer that has ended and
/// was kept as one text. Reasoning comes first or not at all: markers later in the text are text. Where the
/// prompt has opened it (DeepSeek R1's template does), only "</think>" is written.
[[nodiscard]] SplitAnswer splitReasoning(std::string_view text);

/// Tells the same apart while an answer is being written. What may become a marker is held back, so that no
/// part of one is ever shown; time per byte is constant.
class ReasoningSplitter {
public:
    /// `opened`: by the prompt, see openedReasoning().
    explicit ReasoningSplitter(const ReasoningMarkers* opened = nullptr);

    struct Parts {
        std::string reasoning;
        std::string answer;
    };
    /// What can be shown now. Whole UTF-8 in, whole UTF-8 out.
    [[nodiscard]] Parts append(std::string_view text);
    /// What was held back: the text has ended. Half a marker between parts is dropped, elsewhere it is text.
    [[nodiscard]] Parts finish();
    /// The model has closed its answer by a marker; nothing more comes out.
    [[nodiscard]] bool isClosed() const { return m_place == Place::Closed; }

private:
    enum class Place {
        Begin,     ///< of the text, or of a part after another
        Reasoning, ///< between markers
        Between,   ///< after a part that is closed
        Answer,    ///< to the end, whatever is written
        MarkedAnswer,
        Closed,
    };

    /// Moves on in what is held; false: more text is needed.
    [[nodiscard]] bool advance(Parts& parts);
    [[nodiscard]] bool begin();
    [[nodiscard]] bool passPart(std::string& to);
    [[nodiscard]] bool passBetween();
    void enter(const ReasoningMarkers& markers);
    void release(std::string_view text, std::string& to);
    [[nodiscard]] std::size_t heldBack() const;

    Place m_place = Place::Begin;
    const ReasoningMarkers* m_markers = nullptr; ///< of the part that was opened last
    std::string m_held;
    bool m_partHasText = false;
    bool m_hasReasoning = false;
};

} // namespace vitrine
