#include "backend/engine/connection/addresschange.h"

#include "backend/engine/planning/filterdescription.h"
#include "backend/engine/text.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/retry/retrybatchstore.h"

#include <QMap>

namespace engine {

namespace {

constexpr int batchesAsked = 1000; // live batches of one connection: there are never more than a few
constexpr qsizetype queuesNamed = 3;

using Counts = QMap<QString, std::optional<qint64>>; // message count by queue; nothing: unknown

// Which of these queues the broker has, and their message counts. When it does not answer: all, with unknown counts.
core::Task<Counts> onBroker(BrokerFactory brokers, Reached reached, QStringList names)
{
    const std::shared_ptr<broker::Broker> broker = brokers(reached.connection, reached.secret);
    const core::Result<QList<broker::Leftover>> found = co_await broker->leftovers();
    Counts counts;
    if (!found) {
        for (const QString &name : names)
            counts.insert(name, std::nullopt);
        co_return counts;
    }
    for (const broker::Leftover &leftover : *found) {
        if (names.contains(leftover.name))
            counts[leftover.name] = counts.value(leftover.name).value_or(0) + leftover.depth;
    }
    co_return counts;
}

QString inWords(const Counts &counts)
{
    QStringList words;
    for (auto it = counts.cbegin(); it != counts.cend() && words.size() < queuesNamed; ++it) {
        words.append(it.value() ? Text::tr("%1 with %2").arg(it.key(), messagesText(*it.value()))
                                : Text::tr("%1 (its broker does not answer)").arg(it.key()));
    }
    if (counts.size() > queuesNamed)
        words.append(Text::tr("%1 more").arg(counts.size() - queuesNamed));
    return words.join(QStringLiteral(", "));
}

} // namespace

core::Result<QStringList> queuesInUse(store::Store &store, core::ConnectionId connection)
{
    return store.read<QStringList>([&](store::Session &session) -> core::Result<QStringList> {
        QStringList names;
        TRY(const QList<records::IntakeRun> runs, session.intakes().open(connection));
        for (const records::IntakeRun &run : runs) {
            if (run.state != records::IntakeState::Interrupted && !run.holdingName.isEmpty())
                names.append(run.holdingName);
        }
        TRY(const QList<records::RetryBatch> batches, session.retryBatches().live(connection, batchesAsked));
        for (const records::RetryBatch &batch : batches) {
            if (!batch.place.isEmpty())
                names.append(batch.place);
        }
        return names;
    });
}

bool isElsewhere(const records::Connection &before, const records::Connection &after)
{
    const auto place = [](const records::Connection &connection) {
        QUrl::FormattingOptions left = QUrl::FormattingOptions(QUrl::RemoveUserInfo) | QUrl::StripTrailingSlash;
        if (connection.kind == records::BrokerKind::RabbitMq)
            left |= QUrl::RemoveQuery; // it says how to read numbers and how to take, not where the broker is
        return connection.url.adjusted(left);
    };
    return before.kind != after.kind || place(before) != place(after);
}

core::Task<core::Result<>> mayChangeAddress(QStringList inUse, BrokerFactory brokers, Reached before, Reached after)
{
    const QString name = before.connection.name;
    const QString host = before.connection.url.host();
    const Counts here = co_await onBroker(brokers, std::move(before), std::move(inUse));
    if (here.isEmpty())
        co_return core::Result<>{};
    const QStringList held = here.keys();
    const Counts there = co_await onBroker(brokers, std::move(after), held);
    bool isSame = true; // queue names are never reused, so a broker that has them all is the same broker
    for (const QString &queue : held)
        isSame = isSame && there.value(queue).has_value();
    if (isSame)
        co_return core::Result<>{};
    const QString text =
        Text::tr("The address of %1 cannot change while Redrive uses queues on %2 (%3). Wait for the intake or retry "
                 "to end, cancel it, or add the new address as another connection.");
    co_return core::fail(core::ErrorKind::Refused, text.arg(name, host, inWords(here)));
}

} // namespace engine
