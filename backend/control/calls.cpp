#include "backend/control/calls.h"

#include "backend/api/crossing.h"
#include "backend/control/framesocket.h"
#include "backend/control/text.h"
#include "backend/engine/dispatch/commandtable.h"

namespace control {

core::Error goneError(const QString &turnedAway)
{
    const QString reason = turnedAway.isEmpty()
                               ? Text::tr("The program that holds the store ended before it answered.")
                               : Text::tr("The program that holds the store turned this one away. %1").arg(turnedAway);
    return core::Error{core::ErrorKind::Transient,
                       reason + u' ' + Text::tr("The command may or may not be done: check before you repeat it."),
                       {},
                       {}};
}

core::Error tooLargeError()
{
    return {core::ErrorKind::Rejected,
            Text::tr("This request is too large for the program that holds the store: it can have at "
                     "most %1 MB. End that program and repeat the request, or select fewer messages.")
                .arg(largestMessage / (1024 * 1024)),
            {},
            {}};
}

core::Error mayOnlyReadError(const QString &role)
{
    const QString text =
        Text::tr("The role %1 may only read this store. Nothing was done. Ask the administrator of the "
                 "database for the role redrive_support.");
    return {core::ErrorKind::Unauthorized, text.arg(role), {}, {}};
}

QString otherVersionText()
{
    return Text::tr("The program that holds the store is another version of Redrive. Use the same version for both.");
}

QCborMap callOf(const api::PendingRequest &command)
{
    const std::string_view name = command.rules().name;
    QCborMap call;
    call.insert(QLatin1StringView("do"), QLatin1StringView(name.data(), qsizetype(name.size())));
    call.insert(QLatin1StringView("with"), command.encoded());
    return call;
}

core::Result<api::RequestPtr> readCall(const QCborMap &call, QObject *context, const Answered &answered)
{
    const QString name = call.value(QLatin1StringView("do")).toString();
    const QByteArray latin = name.toLatin1();
    const auto *const command = engine::CommandTable::all().find({latin.constData(), size_t(latin.size())});
    if (command != nullptr)
        return command->read(call.value(QLatin1StringView("with")), context, answered);
    const QString text =
        Text::tr("The program that holds the store does not know the request %1. Nothing was done. Use "
                 "the same version of Redrive for both.");
    return core::fail(core::ErrorKind::Rejected, text.arg(name.left(longestName)));
}

QCborMap answerTooLarge()
{
    return api::encodeError({core::ErrorKind::Rejected,
                             Text::tr("The request was carried out, but its answer is too large to be sent."),
                             {},
                             {}});
}

QString tooManyOpenText()
{
    return Text::tr("More than %1 requests are unanswered.").arg(mostOpenCalls);
}

QString nameOfPeer(const QString &who)
{
    const QString name = who.left(longestName);
    return name.isEmpty() ? Text::tr("unknown user") : name;
}

QString nameWithRole(const QString &who, const QString &role)
{
    return Text::tr("%1 (role %2)").arg(nameOfPeer(who), role);
}

} // namespace control
