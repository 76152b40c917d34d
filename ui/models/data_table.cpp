// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/data_table.h"

#include <cmath>

namespace vitrine::ui {

namespace {

constexpr int kDigits = 9;

bool looksLikeFormula(const QString& field)
{
    bool isNumber = false;
    field.toDouble(&isNumber);
    return !field.isEmpty() && !isNumber && QStringLiteral("=+-@\t").contains(field.front());
}

QString quoted(QString field)
{
    if (looksLikeFormula(field))
        field.prepend(QLatin1Char('\''));
    const bool plain = !field.contains(QLatin1Char(',')) && !field.contains(QLatin1Char('"')) &&
                       !field.contains(QLatin1Char('\n')) && !field.contains(QLatin1Char('\r'));
    if (plain)
        return field;
    return QLatin1Char('"') + field.replace(QLatin1String("\""), QLatin1String("\"\"")) + QLatin1Char('"');
}

void append(QByteArray& csv, const QStringList& fields)
{
    QStringList line;
    for (const QString& field : fields)
        line << quoted(field);
    csv += line.join(QLatin1Char(',')).toUtf8() + "\r\n";
}

} // namespace

QString DataTable::number(double value)
{
    return std::isfinite(value) ? QString::number(value, 'g', kDigits) : QString();
}

QByteArray toCsv(const DataTable& table)
{
    QByteArray csv;
    append(csv, table.headings);
    return csv + rowsToCsv(table);
}

QByteArray rowsToCsv(const DataTable& table)
{
    QByteArray csv;
    for (const QStringList& row : table.rows)
        append(csv, row);
    return csv;
}

} // namespace vitrine::ui
