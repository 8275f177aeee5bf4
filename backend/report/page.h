// The parts of an HTML page of Redrive. Each function but number, utc and span returns markup and escapes the text it
// gets; the `content` and `body` arguments are markup already. Any thread.
#pragma once

#include "backend/core/time/clock.h"

#include <QList>
#include <QString>

namespace report {

struct Column
{
    QString title;
    bool isNumber = false;
};

[[nodiscard]] QString escaped(const QString &text); // HTML-escaped; control characters are made visible
[[nodiscard]] QString number(qint64 count); // "12,345"
[[nodiscard]] QString utc(const std::optional<core::TimePoint> &at); // to the second; "–" for none
[[nodiscard]] QString span(core::Milliseconds length); // "1 h 02 min 03 s"

// Empty when `content` is empty. `note` is a text below the content; an empty one is left out.
[[nodiscard]] QString section(const QString &title, const QString &content, const QString &note = {});
[[nodiscard]] QString table(const QList<Column> &columns, const QList<QStringList> &rows);
[[nodiscard]] QString facts(
    const QList<std::pair<QString, QString>> &rows); // names and values; a row with an empty value is left out
[[nodiscard]] QString page(const QString &title, const QString &body);

} // namespace report
