// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QString>
#include <QStringList>

#include <vector>

namespace vitrine::ui {

/// Numbers that a panel shows, for other programs: headings carry the unit ("begin_s"), numbers are written
/// alike in every language, with a point and without groups.
struct DataTable {
    QStringList headings;
    std::vector<QStringList> rows; ///< as long as the headings

    /// Nine digits; empty for what is no number.
    [[nodiscard]] static QString number(double value);
    [[nodiscard]] static QString number(qint64 value) { return QString::number(value); }
    [[nodiscard]] static QString number(quint64 value) { return QString::number(value); }
    [[nodiscard]] static QString number(int value) { return QString::number(value); }
};

/// RFC 4180, in UTF-8: fields with a comma, a quote or a line break are quoted. A text that a spreadsheet
/// would take for a formula begins with an apostrophe.
[[nodiscard]] QByteArray toCsv(const DataTable& table);
/// The same without the headings.
[[nodiscard]] QByteArray rowsToCsv(const DataTable& table);

} // namespace vitrine::ui
