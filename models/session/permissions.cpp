#include "models/session/permissions.h"

#include "models/common/text.h"
#include "models/common/visibletext.h"

#include <algorithm>

namespace models {

namespace {

std::optional<records::Right> rightFor(Verb verb)
{
    switch (verb) {
    case Verb::Take:
        return records::Right::Take;
    case Verb::Browse:
    case Verb::Note:
        return records::Right::See;
    case Verb::Retry:
        return records::Right::Retry;
    case Verb::Archive:
    case Verb::Mute:
        return records::Right::Archive;
    case Verb::Delete:
        return records::Right::Delete;
    case Verb::Redirect:
        return records::Right::Redirect;
    case Verb::Edit:
        return records::Right::Edit;
    case Verb::Pause:
    case Verb::EditConnections:
        return std::nullopt;
    }
    Q_UNREACHABLE();
}

QString refusalOfEngine(const api::Snapshot &snapshot, Verb verb)
{
    switch (snapshot.engine) {
    case api::EngineState::Starting:
        return Text::tr("The engine is still starting.");
    case api::EngineState::StoreRefusesWrites:
        return Text::tr("The store refuses writes: %1").arg(visibleLine(snapshot.engineText));
    case api::EngineState::Viewer:
        if (verb == Verb::Take || verb == Verb::Browse || verb == Verb::EditConnections)
            return Text::tr("This window is view only: %1").arg(visibleLine(snapshot.engineText));
        return {};
    case api::EngineState::Running:
    case api::EngineState::Paused:
        return {};
    }
    Q_UNREACHABLE();
}

QString refusalOfConnection(const api::ConnectionView &view, Verb verb, records::Right right)
{
    const QString name = visibleLine(view.connection.name);
    if (!view.connection.rights.testFlag(right)) {
        const QStringList word = records::toStrings(right);
        return Text::tr("The connection %1 does not grant the right \"%2\".").arg(name, word.value(0));
    }
    if (verb == Verb::Take && !view.canTake && !view.cannotTakeReason.isEmpty())
        return visibleLine(view.cannotTakeReason);
    if (verb == Verb::Browse && !view.canBrowse)
        return Text::tr("This account probably cannot browse the queues of %1.").arg(name);
    return {};
}

} // namespace

QString refusal(const api::Snapshot &snapshot, Verb verb, core::ConnectionId connection)
{
    const QString byEngine = refusalOfEngine(snapshot, verb);
    const std::optional<records::Right> right = rightFor(verb);
    if (!byEngine.isEmpty() || !right)
        return byEngine;
    QString first;
    for (const api::ConnectionView &view : snapshot.connections) {
        if (connection.isValid() && view.connection.id != connection)
            continue;
        const QString reason = refusalOfConnection(view, verb, *right);
        if (reason.isEmpty())
            return {};
        if (first.isEmpty())
            first = reason;
    }
    return first.isEmpty() ? Text::tr("There is no connection yet.") : first;
}

} // namespace models
