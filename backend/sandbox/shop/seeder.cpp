#include "backend/sandbox/shop/seeder.h"

#include "backend/core/time/simulatedclock.h"
#include "backend/localbroker/journal.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <vector>

namespace sandbox {

namespace {

// A custom property in an HTTP header; a text is a JSON string there. Source: Service Bus REST, "Message headers and
// properties".
QByteArray headerText(const QString &text)
{
    const QByteArray array = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    return array.mid(1, array.size() - 2);
}

localbroker::Draft draftOf(const records::Envelope &envelope)
{
    localbroker::Draft draft;
    draft.body = envelope.body;
    draft.messageId = records::text(envelope.properties, u"MessageId");
    draft.label = records::text(envelope.properties, u"Label");
    draft.contentType = records::text(envelope.properties, u"ContentType").toLatin1();
    for (const records::Header &header : envelope.headers)
        draft.properties << localbroker::Property{header.name.toLatin1(), headerText(records::text(header.value))};
    return draft;
}

core::Result<> refused(const localbroker::Refusal &refusal)
{
    return core::fail(core::ErrorKind::Rejected, refusal.text);
}

core::Result<> deadLetter(localbroker::QueueEngine &engine, const localbroker::Place &place, const Sample &sample)
{
    const localbroker::Outcome<std::optional<localbroker::Delivery>> locked = engine.peekLock(place);
    if (!locked)
        return refused(locked.error());
    if (!*locked)
        return core::fail(core::ErrorKind::Corrupt, QStringLiteral("The demo broker lost a message."));
    const localbroker::Delivery &delivery = **locked;
    const localbroker::Outcome<> moved =
        engine.deadLetter(place, delivery.message.sequence, delivery.lockToken, sample.reason, sample.description);
    return moved ? core::Result<>{} : refused(moved.error());
}

core::Result<> put(localbroker::QueueEngine &engine, const Sample &sample)
{
    const localbroker::Place place{sample.queue, false};
    const localbroker::Outcome<> sent = engine.send(place, {draftOf(sample.envelope)});
    if (!sent)
        return refused(sent.error());
    return sample.deadLetter ? deadLetter(engine, place, sample) : core::Result<>{};
}

} // namespace

QList<localbroker::QueueSettings> shopQueues()
{
    QList<localbroker::QueueSettings> queues;
    for (const QString &name : workQueues() + QStringList{errorQueue.toString()}) {
        localbroker::QueueSettings settings;
        settings.name = name;
        queues << settings;
    }
    return queues;
}

core::Result<> seedShop(const QString &dataFile, const Scenario &scenario, core::Random &random)
{
    std::vector<Sample> samples;
    samples.reserve(size_t(scenario.count()));
    for (int i = 0; i < scenario.count(); ++i)
        samples.push_back(scenario.sample(i));
    std::stable_sort(samples.begin(), samples.end(),
                     [](const Sample &a, const Sample &b) { return a.failedAt < b.failedAt; });

    core::SimulatedClock clock{core::TimePoint{}};
    localbroker::QueueEngine engine(clock, random);
    for (const localbroker::QueueSettings &queue : shopQueues()) {
        const localbroker::Outcome<> created = engine.createQueue(queue);
        if (!created)
            return refused(created.error());
    }
    for (const Sample &sample : samples) {
        clock.pass(sample.failedAt - clock.now());
        TRY(put(engine, sample));
    }
    localbroker::Journal journal;
    TRY(journal.open(dataFile));
    return journal.apply(engine.takeChanges(), engine.lastSequence());
}

} // namespace sandbox
