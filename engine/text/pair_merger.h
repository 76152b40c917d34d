// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace vitrine {

/// Merges neighbours, best pair first, until no pair can be merged: the core of BPE and of SentencePiece. A
/// linked list of symbols and a heap of candidate pairs: O(n log n) in the number of symbols, about 40 bytes
/// each.
///
/// `Symbol`: a small value with ==. `Priority`: the lower, the earlier; of equal ones the leftmost goes
/// first.
template<typename Symbol, typename Priority>
class PairMerger {
public:
    struct Join {
        Priority priority;
        Symbol merged;
    };

    /// `symbols` in, merged symbols out. `join(left, right)` gives an optional<Join>. The buffers are kept
    /// for the next word.
    template<typename JoinFunction>
    void merge(std::vector<Symbol>& symbols, const JoinFunction& join)
    {
        const auto count = static_cast<std::int32_t>(symbols.size());
        m_links.resize(symbols.size());
        m_candidates.clear();
        for (std::int32_t i = 0; i < count; ++i)
            m_links[at(i)] = {i - 1, i + 1 < count ? i + 1 : kNone};
        for (std::int32_t i = 0; i + 1 < count; ++i)
            propose(symbols, i, join);
        while (!m_candidates.empty())
            apply(symbols, takeBest(), join);
        collect(symbols);
    }

private:
    static constexpr std::int32_t kNone = -1;
    static constexpr std::int32_t kRemoved = -2;

    struct Link {
        std::int32_t previous;
        std::int32_t next;
    };
    struct Candidate {
        Priority priority;
        std::int32_t position; ///< of the left symbol
        Symbol left;
        Symbol right;
        Symbol merged;
        /// Of a max-heap: the candidate that goes later is the lesser one.
        friend bool operator<(const Candidate& a, const Candidate& b)
        {
            return a.priority != b.priority ? b.priority < a.priority : b.position < a.position;
        }
    };

    static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

    template<typename JoinFunction>
    void propose(const std::vector<Symbol>& symbols, std::int32_t position, const JoinFunction& join)
    {
        if (position < 0 || m_links[at(position)].next < 0)
            return;
        const Symbol left = symbols[at(position)];
        const Symbol right = symbols[at(m_links[at(position)].next)];
        if (const std::optional<Join> joined = join(left, right)) {
            m_candidates.push_back({joined->priority, position, left, right, joined->merged});
            std::push_heap(m_candidates.begin(), m_candidates.end());
        }
    }

    Candidate takeBest()
    {
        std::pop_heap(m_candidates.begin(), m_candidates.end());
        const Candidate best = m_candidates.back();
        m_candidates.pop_back();
        return best;
    }

    template<typename JoinFunction>
    void apply(std::vector<Symbol>& symbols, const Candidate& pair, const JoinFunction& join)
    {
        Link& left = m_links[at(pair.position)];
        const std::int32_t right = left.next;
        // Stale: one of the two has been merged with another neighbour since.
        if (right < 0 || !(symbols[at(pair.position)] == pair.left) || !(symbols[at(right)] == pair.right))
            return;
        symbols[at(pair.position)] = pair.merged;
        left.next = m_links[at(right)].next;
        m_links[at(right)] = {kNone, kRemoved};
        if (left.next >= 0)
            m_links[at(left.next)].previous = pair.position;
        propose(symbols, left.previous, join);
        propose(symbols, pair.position, join);
    }

    void collect(std::vector<Symbol>& symbols)
    {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < symbols.size(); ++i) {
            if (m_links[i].next != kRemoved)
                symbols[kept++] = symbols[i];
        }
        symbols.resize(kept);
    }

    std::vector<Link> m_links;
    std::vector<Candidate> m_candidates;
};

} // namespace vitrine
