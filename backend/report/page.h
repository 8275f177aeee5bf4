// The pieces an HTML page of ours is made of. Text that is given is always escaped here; what these return is markup.
#pragma once

#include "backend/core/clock.h"

#include <QList>
#include <QString>

namespace report {

struct Column
{
    QString title;
    bool isNumber = false;
};

[[nodiscard]] QString escaped(const QString &text); // control characters are made visible
[[nodiscard]] QString number(qint64 count); // "12,345"
[[nodiscard]] QString utc(const std::optional<core::TimePoint> &at); // to the second; "–" for none
[[nodiscard]] QString span(core::Milliseconds length); // "1 h 02 min 03 s"

// Empty where there is nothing in it. `note`: what is said below it; empty: nothing.
[[nodiscard]] QString section(const QString &title, const QString &content, const QString &note = {});
[[nodiscard]] QString table(const QList<Column> &columns, const QList<QStringList> &rows);
[[nodiscard]] QString facts(
    const QList<std::pair<QString, QString>> &rows); // names and texts; empty texts are left out
[[nodiscard]] QString page(const QString &title, const QString &body);

} // namespace report
