// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/timeline_links.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <unordered_map>

namespace vitrine::ui {

namespace {

constexpr std::size_t kMostLinks = 24;
constexpr int kDot = 2;  ///< pixels of radius
constexpr int kBack = 4; ///< half the side of the mark of who is back

using Places = std::unordered_map<SequenceId, const PlacedRow*>;

int middleOf(const TimelineAxis& axis, std::uint64_t step, const QRect& rect)
{
    return rect.left() + static_cast<int>((axis.leftOf(step) + axis.rightOf(step)) / 2);
}

PreemptionLink linkOf(const PlacedRow& victim, const Preemption& preemption, const Places& places,
                      const TimelineAxis& axis)
{
    PreemptionLink link;
    link.victim = victim.row->sequence;
    link.isChosen = victim.isChosen;
    link.from = {middleOf(axis, preemption.step, victim.rect), victim.rect.center().y()};
    if (const auto other = places.find(preemption.takenBy); other != places.end()) {
        link.takenBy = preemption.takenBy;
        link.takenAtY = other->second->rect.center().y();
        link.isChosen = link.isChosen || other->second->isChosen;
    }
    const auto back = victim.row->readmission(preemption);
    if (back && *back <= axis.lastVisible())
        link.backAtX = victim.rect.left() + static_cast<int>(axis.leftOf(*back));
    return link;
}

} // namespace

std::vector<PreemptionLink> preemptionLinks(const std::vector<PlacedRow>& rows, const TimelineAxis& axis)
{
    Places places;
    for (const PlacedRow& placed : rows)
        places[placed.row->sequence] = &placed;
    std::vector<PreemptionLink> links;
    for (const PlacedRow& placed : rows)
        for (const Preemption& preemption : placed.row->preemptions)
            if (preemption.step >= axis.firstVisible() && preemption.step <= axis.lastVisible())
                links.push_back(linkOf(placed, preemption, places, axis));
    if (links.size() > kMostLinks)
        std::erase_if(links, [](const PreemptionLink& link) { return !link.isChosen; });
    return links;
}

void paintPreemptionLinks(QPainter& painter, const std::vector<PreemptionLink>& links,
                          const GlassColors& colors)
{
    painter.save();
    for (const PreemptionLink& link : links) {
        painter.setPen(QPen(colors.warning, link.isChosen ? 2 : 1));
        painter.setBrush(colors.warning);
        if (link.takenBy != SequenceId{}) {
            painter.drawLine(link.from, {link.from.x(), link.takenAtY});
            painter.drawEllipse(QPoint(link.from.x(), link.takenAtY), kDot, kDot);
        }
        if (link.backAtX < 0)
            continue;
        painter.drawLine(link.from, {link.backAtX, link.from.y()});
        const QPoint tip(link.backAtX, link.from.y());
        painter.setBrush(colors.background); // hollow, and to the right: into the batch
        painter.drawPolygon(QPolygon{
            {tip.x() - kBack, tip.y() - kBack}, {tip.x() + 1, tip.y()}, {tip.x() - kBack, tip.y() + kBack}});
    }
    painter.restore();
}

} // namespace vitrine::ui
