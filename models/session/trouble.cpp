#include "models/session/trouble.h"

#include "models/common/text.h"
#include "models/common/visibletext.h"

namespace models {

namespace {

// The text of the engine, if there is one: it says more than `sentence`.
QString inPlaceOf(const QString &sentence, const QString &words)
{
    return words.isEmpty() ? sentence : visibleLine(words);
}

QString withText(const QString &sentence, const QString &words)
{
    return words.isEmpty() ? sentence : sentence + QStringLiteral(" ") + visibleLine(words);
}

Trouble ofConnection(const api::ConnectionView &view)
{
    using Remedy = Trouble::Remedy;
    const QString name = visibleLine(view.connection.name);
    const core::ConnectionId id = view.connection.id;
    const QString state = view.words.isEmpty() ? textOf(view.health) : visibleLine(view.words);
    const QString sentence = withText(Text::tr("%1: %2").arg(name, state), view.breakerWords);
    switch (view.health) {
    case api::Health::Unknown:
    case api::Health::Connected:
        return {};
    case api::Health::Slow:
        return {Tone::Warn, sentence, Remedy::None, {}, id};
    case api::Health::Unreachable:
        return {Tone::Bad, sentence, Remedy::AskAgain, Text::tr("Try again now"), id};
    case api::Health::Refused:
        return {Tone::Bad, sentence, Remedy::OpenConnection, Text::tr("Edit connection…"), id};
    case api::Health::LoginNeeded:
        return {Tone::Bad, sentence, Remedy::OpenConnection, Text::tr("Log in…"), id};
    }
    Q_UNREACHABLE();
}

Trouble worstConnection(const QList<api::ConnectionView> &connections)
{
    Trouble worst;
    for (const api::ConnectionView &view : connections) {
        const Trouble one = ofConnection(view);
        if (one.tone == Tone::Bad)
            return one;
        if (worst.text.isEmpty())
            worst = one;
    }
    return worst;
}

} // namespace

Trouble troubleOf(const api::Snapshot &snapshot)
{
    using Remedy = Trouble::Remedy;
    switch (snapshot.engine) {
    case api::EngineState::StoreRefusesWrites:
        return {Tone::Bad,
                withText(Text::tr("The store refuses writes. Redrive sends nothing more."), snapshot.engineText),
                Remedy::ReopenStore,
                Text::tr("Reopen store"),
                {}};
    case api::EngineState::Paused:
        return {Tone::Warn,
                withText(Text::tr("All retries and policies are paused."), snapshot.engineText),
                Remedy::ResumeAll,
                Text::tr("Resume all"),
                {}};
    case api::EngineState::Viewer:
        return {Tone::Accent,
                inPlaceOf(Text::tr("Another process holds this store. It runs the retries that you request here."),
                          snapshot.engineText),
                Remedy::None,
                {},
                {}};
    case api::EngineState::Starting:
    case api::EngineState::Running:
        return worstConnection(snapshot.connections);
    }
    Q_UNREACHABLE();
}

} // namespace models
