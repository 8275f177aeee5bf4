#include "tests/backend/rehearsal/rehearsaljob.h"

#include "app/host/rehearsaldependencies.h"
#include "backend/sandbox/nservicebus/nservicebusheaders.h"

namespace support {

engine::RehearsalJob rehearsalJob(int messages)
{
    engine::RehearsalJob job;
    job.now = core::fromMs(1'790'000'000'000);
    job.begun.selected = messages;
    job.begun.copied = messages;
    for (int n = 0; n < messages; ++n) {
        const bool isBilling = n % 2 == 0;
        sandbox::FailureFacts facts;
        facts.queue = isBilling ? QStringLiteral("billing") : QStringLiteral("sales");
        facts.exceptionType =
            isBilling ? QStringLiteral("System.TimeoutException") : QStringLiteral("Newtonsoft.Json.JsonException");
        facts.message = isBilling ? QStringLiteral("The database does not answer") : QStringLiteral("No value");
        facts.at = job.now - std::chrono::minutes(10);
        store::NewMessage copy;
        records::FailedMessage &message = copy.message;
        message.uniqueId = QStringLiteral("%1").arg(n + 1, 32, 16, QLatin1Char('0'));
        message.queue = QStringLiteral("errors-of-the-shop");
        message.dialect = QStringLiteral("NServiceBus");
        message.nativeId = QString::number(n);
        message.failure.exceptionType = facts.exceptionType;
        message.failure.exceptionMessage = facts.message;
        message.failure.at = facts.at;
        message.firstFailed = facts.at;
        message.lastFailed = facts.at;
        message.destination = {facts.queue, records::Certainty::Exact, QStringLiteral("NServiceBus.FailedQ")};
        sandbox::addMessageHeaders(copy.envelope.headers,
                                   {QStringLiteral("id-%1").arg(n), QStringLiteral("c"), QStringLiteral("Shop.Order")});
        sandbox::addFailureHeaders(copy.envelope.headers, facts);
        copy.envelope.body = "{\"order\": \"Ada\", \"id\": " + QByteArray::number(n) + "}";
        copy.titles = {facts.exceptionType, QStringLiteral("Shop.Order"), facts.queue, facts.queue, facts.queue};
        job.copies.append(copy);
    }
    return job;
}

core::Result<api::RehearsalReport> rehearse(const engine::RehearsalJob &job)
{
    const rehearsal::EnvironmentDependencies dependencies = app::rehearsalDependencies();
    rehearsal::Environment environment(dependencies, job, std::make_shared<engine::RehearsalControl>());
    return environment.run();
}

} // namespace support
