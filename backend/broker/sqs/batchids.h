#pragma once

#include <QString>
#include <QUuid>

#include <optional>

namespace broker::sqs {

// The ids of the entries of one call. No other call has the same ids, so an answer to another call cannot be taken for
// one about these entries.
class BatchIds final
{
public:
    [[nodiscard]] QString of(qsizetype place) const { return m_call + QLatin1Char('-') + QString::number(place); }
    // Nothing: not the id of one of the first `count` entries.
    [[nodiscard]] std::optional<qsizetype> placeOf(const QString &id, qsizetype count) const
    {
        const qsizetype place = id.section(QLatin1Char('-'), -1).toLongLong();
        return place >= 0 && place < count && id == of(place) ? std::optional(place) : std::nullopt;
    }

private:
    const QString m_call = QUuid::createUuid().toString(QUuid::Id128);
};

} // namespace broker::sqs
