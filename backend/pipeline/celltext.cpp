#include "backend/pipeline/celltext.h"

#include "backend/core/text/safetext.h"
#include "backend/records/pipeline.h"

#include <QDateTime>

namespace pipeline {

namespace {

std::optional<core::TimePoint> timeOf(const QDateTime &time)
{
    if (!time.isValid())
        return std::nullopt;
    return core::fromMs(time.toMSecsSinceEpoch());
}

} // namespace

QString cleanText(const QString &text, int longest)
{
    QString clean = core::safeText(text.left(longest));
    if (text.size() > longest)
        clean += QChar(0x2026);
    return clean;
}

QString cellText(const QVariant &value)
{
    const bool isBytes = value.metaType().id() == QMetaType::QByteArray;
    constexpr int widestCharacter = 4; // bytes of UTF-8
    return cleanText(isBytes
                         ? QString::fromUtf8(value.toByteArray().left(records::pipelineCellChars * widestCharacter + 1))
                         : value.toString(),
                     records::pipelineCellChars);
}

std::optional<core::TimePoint> cellTime(const QVariant &value)
{
    if (value.metaType().id() == QMetaType::QDateTime)
        return timeOf(value.toDateTime());
    constexpr qsizetype longestTime = 40;
    constexpr qsizetype dateLength = 10; // "2026-01-02"
    QString text = value.toString();
    const bool isText = value.metaType().id() == QMetaType::QString;
    if (!isText || text.size() <= dateLength || text.size() > longestTime)
        return std::nullopt;
    if (text.at(dateLength) == QLatin1Char(' '))
        text[dateLength] = QLatin1Char('T');
    QDateTime time = QDateTime::fromString(text, Qt::ISODateWithMs);
    if (time.timeSpec() == Qt::LocalTime)
        time.setTimeSpec(Qt::UTC);
    return timeOf(time);
}

} // namespace pipeline
