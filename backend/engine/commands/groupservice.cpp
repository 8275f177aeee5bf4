#include "backend/engine/commands/groupservice.h"

#include "backend/engine/dispatch/commandtable.h"
#include "backend/engine/planning/filterdescription.h"
#include "backend/engine/text.h"
#include "backend/store/connectionstore.h"

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

core::Result<> checkUntil(const std::optional<core::TimePoint> &until, core::TimePoint now)
{
    if (!until)
        return {};
    if (*until <= now)
        return core::fail(ErrorKind::Rejected, Text::tr("%1 is in the past, so nothing was muted. Choose a later time.")
                                                   .arg(api::MuteGroups::minuteText(*until)));
    if (*until - now > records::GroupMute::longest)
        return core::fail(
            ErrorKind::Rejected,
            Text::tr("A group can be muted for at most one year. Archive messages that no longer matter."));
    return {};
}

} // namespace

GroupService::GroupService(ConnectionContext context, ConnectionService &connections)
    : m_context(std::move(context))
    , m_connections(connections)
{
}

void GroupService::addHandlers(CommandTable &table)
{
    table.on(&Engine::groups, &GroupService::setNote);
    table.on(&Engine::groups, &GroupService::mute);
}

QString GroupService::nameOf(const store::MarkedGroup &group) const
{
    const core::Result<records::Connection> connection = m_connections.record(group.connection);
    return Text::tr("%1 on %2").arg(quoted(group.title), connection ? connection->name : QString());
}

core::Result<QString> GroupService::write(store::Session &session, const api::SetGroupNote &command,
                                          CommandCall &call) const
{
    TRY(const store::MarkedGroup group, session.groupMarks().load(command.group, m_context.dependencies.clock.now()));
    const QString name = nameOf(group);
    call.about(name);
    const QString before = group.marks.note ? group.marks.note->text : QString();
    if (command.shown && *command.shown != before)
        return core::fail(ErrorKind::Conflict,
                          before.isEmpty()
                              ? Text::tr("Somebody removed the note meanwhile. Read it again before you change it.")
                              : Text::tr("%1 changed the note meanwhile. Read it again before you change it.")
                                    .arg(group.marks.note->who));
    TRY(const QString text, noteText(command.text));
    if (text.isEmpty() && before.isEmpty())
        return core::fail(ErrorKind::NotFound, Text::tr("This group has no note."));
    const records::GroupNote note{text, call.who(), m_context.dependencies.clock.now()};
    TRY(session.groupMarks().setNote(command.group, text.isEmpty() ? std::nullopt : std::optional(note)));
    return name;
}

core::Result<> GroupService::setNote(const api::SetGroupNote &command, CommandCall &call)
{
    TRY(const QString name, m_context.dependencies.store.transact<QString>(
                                [&](store::Session &session) { return write(session, command, call); }));
    const QString text = command.text.trimmed();
    if (!text.isEmpty()) // the activity log keeps the text even if the note is removed later
        call.log(name, quoted(text));
    m_context.changed();
    return {};
}

core::Result<> GroupService::write(store::Session &session, const api::MuteGroups &command, CommandCall &call) const
{
    const core::TimePoint now = m_context.dependencies.clock.now();
    bool isOneMuted = false;
    for (const core::GroupId id : command.groups) {
        TRY(const store::MarkedGroup group, session.groupMarks().load(id, now));
        isOneMuted = isOneMuted || group.marks.mute.has_value();
        call.about(nameOf(group));
        std::optional<records::GroupMute> mute;
        if (command.until)
            mute = records::GroupMute{*command.until, call.who(), now, group.unresolved};
        TRY(session.groupMarks().setMute(id, mute));
    }
    if (!command.until && !isOneMuted)
        return core::fail(ErrorKind::Conflict, command.groups.size() == 1 ? Text::tr("This group is not muted.")
                                                                          : Text::tr("None of these groups is muted."));
    return {};
}

core::Result<> GroupService::mute(const api::MuteGroups &command, CommandCall &call)
{
    TRY(checkUntil(command.until, m_context.dependencies.clock.now()));
    if (command.groups.isEmpty())
        return core::fail(ErrorKind::Rejected, Text::tr("Name at least one group."));
    const core::Result<> done =
        m_context.dependencies.store.transact([&](store::Session &session) { return write(session, command, call); });
    m_context.changed();
    return done;
}

} // namespace engine
