#include "backend/engine/groupservice.h"

#include "backend/engine/auditlog.h"
#include "backend/engine/filterdescription.h"
#include "backend/engine/rights.h"
#include "backend/engine/text.h"
#include "backend/store/connectionstore.h"

#include <QDateTime>

namespace engine {

namespace {

using core::ErrorKind;

// Normalises line ends and removes blanks around the text, so that notes can be compared.
core::Result<QString> noteText(QString text)
{
    text.replace(QLatin1String("\r\n"), QLatin1String("\n"));
    text.replace(QLatin1Char('\r'), QLatin1Char('\n'));
    text = text.trimmed();
    if (text.size() > records::GroupNote::longest)
        return core::fail(ErrorKind::Rejected, Text::tr("A note can have at most %1 characters; this one has %2.")
                                                   .arg(records::GroupNote::longest)
                                                   .arg(text.size()));
    if (text.contains(QChar::Null))
        return core::fail(ErrorKind::Rejected,
                          Text::tr("A note must be plain text. It contains an invalid character."));
    return text;
}

QString timeText(core::TimePoint at)
{
    return QDateTime::fromMSecsSinceEpoch(core::toMs(at), Qt::UTC).toString(QStringLiteral("yyyy-MM-dd HH:mm 'UTC'"));
}

core::Result<> checkUntil(const std::optional<core::TimePoint> &until, core::TimePoint now)
{
    if (!until)
        return {};
    if (*until <= now)
        return core::fail(
            ErrorKind::Rejected,
            Text::tr("%1 is in the past, so nothing was muted. Choose a later time.").arg(timeText(*until)));
    if (*until - now > records::GroupMute::longest)
        return core::fail(
            ErrorKind::Rejected,
            Text::tr("A group can be muted for at most one year. Archive messages that no longer matter."));
    return {};
}

} // namespace

GroupService::GroupService(ConnectionContext surroundings, ConnectionService &connections)
    : m_around(std::move(surroundings))
    , m_connections(connections)
{
}

QString GroupService::nameOf(const store::MarkedGroup &group) const
{
    const core::Result<records::Connection> connection = m_connections.record(group.connection);
    return Text::tr("%1 on %2").arg(quoted(group.title), connection ? connection->name : QString());
}

core::Result<store::MarkedGroup> GroupService::load(store::Session &session, core::GroupId group,
                                                    records::Right right) const
{
    TRY(store::MarkedGroup found, session.groupMarks().load(group, m_around.dependencies.clock.now()));
    TRY(const QList<records::Connection> connections, session.connections().all());
    for (const records::Connection &one : connections)
        TRY(one.id == found.connection ? checkRight(one, right) : core::Result<>());
    return found;
}

core::Result<> GroupService::write(store::Session &session, const api::GroupNoteCommand &command, bool *removed,
                                   QString *onWhat) const
{
    TRY(const store::MarkedGroup group, load(session, command.group, records::Right::See));
    *onWhat = nameOf(group);
    const QString before = group.marks.note ? group.marks.note->text : QString();
    if (command.shown && *command.shown != before)
        return core::fail(ErrorKind::Conflict,
                          before.isEmpty()
                              ? Text::tr("Somebody removed the note meanwhile. Read it again before you change it.")
                              : Text::tr("%1 changed the note meanwhile. Read it again before you change it.")
                                    .arg(group.marks.note->who));
    TRY(const QString text, noteText(command.text));
    *removed = text.isEmpty();
    if (*removed && before.isEmpty())
        return core::fail(ErrorKind::NotFound, Text::tr("This group has no note."));
    const records::GroupNote note{text, command.who, m_around.dependencies.clock.now()};
    return session.groupMarks().setNote(command.group, *removed ? std::nullopt : std::optional(note));
}

core::Result<> GroupService::setNote(const api::GroupNoteCommand &command)
{
    bool removed = command.text.trimmed().isEmpty();
    QString onWhat = Text::tr("group %1").arg(command.group.value);
    const core::Result<> done = m_around.dependencies.store.transact(
        [&](store::Session &session) { return write(session, command, &removed, &onWhat); });
    const QString verb = removed ? Text::tr("Note removed") : Text::tr("Note written");
    if (done && !removed) // the activity log keeps the text even if the note is removed later
        m_around.auditLog.note(command.who, verb, onWhat, quoted(command.text.trimmed()));
    else
        m_around.auditLog.note(command.who, verb, onWhat, done);
    m_around.changed();
    return done;
}

core::Result<> GroupService::write(store::Session &session, const api::GroupMuteCommand &command,
                                   QStringList *onWhat) const
{
    const core::TimePoint now = m_around.dependencies.clock.now();
    for (const core::GroupId id : command.groups) {
        TRY(const store::MarkedGroup group, load(session, id, records::Right::Archive));
        onWhat->append(nameOf(group));
        std::optional<records::GroupMute> mute;
        if (command.until)
            mute = records::GroupMute{*command.until, command.who, now, group.unresolved};
        TRY(session.groupMarks().setMute(id, mute));
    }
    return {};
}

core::Result<> GroupService::mute(const api::GroupMuteCommand &command)
{
    core::Result<> done = checkUntil(command.until, m_around.dependencies.clock.now());
    if (done && command.groups.isEmpty())
        done = core::fail(ErrorKind::Rejected, Text::tr("Name at least one group."));
    QStringList onWhat;
    if (done)
        done = m_around.dependencies.store.transact(
            [&](store::Session &session) { return write(session, command, &onWhat); });
    const QString verb = command.until ? Text::tr("Muted until %1").arg(timeText(*command.until)) : Text::tr("Unmuted");
    if (onWhat.isEmpty())
        onWhat = QStringList{Text::tr("failure groups")};
    for (const QString &one : std::as_const(onWhat))
        m_around.auditLog.note(command.who, verb, one, done);
    m_around.changed();
    return done;
}

} // namespace engine
