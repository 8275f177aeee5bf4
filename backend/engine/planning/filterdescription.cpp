#include "backend/engine/planning/filterdescription.h"

#include "backend/engine/text.h"

#include <QDateTime>
#include <QTimeZone>

namespace engine {

namespace {

constexpr qsizetype longestTitle = 120;

QString moment(core::TimePoint time)
{
    return QDateTime::fromMSecsSinceEpoch(core::toMs(time), QTimeZone::utc())
        .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss 'UTC'"));
}

QString statusWord(const std::optional<records::MessageStatus> &status)
{
    if (!status)
        return Text::tr("Unresolved messages");
    switch (*status) {
    case records::MessageStatus::Unresolved:
        return Text::tr("Unresolved messages");
    case records::MessageStatus::RetryIssued:
        return Text::tr("Messages in retry");
    case records::MessageStatus::Resolved:
        return Text::tr("Resolved messages");
    case records::MessageStatus::Archived:
        return Text::tr("Archived messages");
    case records::MessageStatus::Released:
        return Text::tr("Released messages");
    case records::MessageStatus::Unknown:
        return Text::tr("Messages of unknown state since a backup was restored");
    }
    return {};
}

QString groupsPart(const records::MessageFilter &filter, const ScopeNames &names)
{
    if (filter.groups.isEmpty())
        return {};
    if (filter.groups.size() == 1 && !names.groups.isEmpty())
        return Text::tr("in the group %1").arg(quoted(names.groups.first()));
    if (names.groups.isEmpty())
        return Text::tr("in %n selected group(s)", nullptr, int(filter.groups.size()));
    const QString first = quoted(names.groups.first());
    return Text::tr("in %1 and %n more group(s)", nullptr, int(filter.groups.size()) - 1).arg(first);
}

QString timePart(const records::MessageFilter &filter)
{
    if (filter.since && filter.until)
        return Text::tr("failed from %1 until %2").arg(moment(*filter.since), moment(*filter.until));
    if (filter.since)
        return Text::tr("failed at or after %1").arg(moment(*filter.since));
    if (filter.until)
        return Text::tr("failed before %1").arg(moment(*filter.until));
    return {};
}

} // namespace

// Titles come from failed messages, so line breaks are removed and the length is limited.
QString quoted(const QString &text)
{
    QString line = text.simplified();
    if (line.size() > longestTitle)
        line = line.left(longestTitle - 1) + QChar(0x2026);
    return QChar(0x201c) + line + QChar(0x201d);
}

QString messagesText(qint64 count)
{
    return count == 1 ? Text::tr("1 message") : Text::tr("%1 messages").arg(count);
}

QString scopeSentence(const records::MessageFilter &filter, const ScopeNames &names)
{
    QStringList parts;
    const QString status = statusWord(filter.status);
    parts << (names.connection.isEmpty() ? status : Text::tr("%1 on %2").arg(status, names.connection));
    if (!filter.messages.isEmpty())
        parts << Text::tr("%n selected", nullptr, int(filter.messages.size()));
    parts << groupsPart(filter, names);
    if (!filter.queue.isEmpty())
        parts << Text::tr("from queue %1").arg(quoted(filter.queue));
    if (!filter.messageType.isEmpty())
        parts << Text::tr("of type %1").arg(quoted(filter.messageType));
    if (!filter.search.isEmpty())
        parts << Text::tr("containing %1").arg(quoted(filter.search));
    parts << timePart(filter);
    if (filter.cameBackFrom.isValid())
        parts << Text::tr("that came back from operation %1").arg(filter.cameBackFrom.value);
    if (!filter.except.isEmpty())
        parts << Text::tr("except %n deselected", nullptr, int(filter.except.size()));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

} // namespace engine
