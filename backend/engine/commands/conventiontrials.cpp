#include "backend/engine/commands/conventiontrials.h"

#include "backend/core/text/safetext.h"
#include "backend/dialect/dialect.h"
#include "backend/dialect/table.h"
#include "backend/engine/text.h"
#include "backend/intake/pages/interpretation.h"
#include "backend/records/conventions/conventionfile.h"
#include "backend/retry/outgoing.h"

#include <algorithm>

namespace engine {

using records::Convention;
using records::MessageFlag;

namespace {

constexpr qsizetype longestShownText = 4000; // characters
constexpr qsizetype longestShownBody = 64 * 1024; // bytes

void addByName(records::Conventions &all, const Convention &convention)
{
    const auto place = std::find_if(all.cbegin(), all.cend(),
                                    [&convention](const Convention &one) { return one.name > convention.name; });
    all.insert(place, convention);
}

records::Conventions without(records::Conventions all, const QString &name)
{
    all.removeIf([&name](const Convention &one) { return one.name == name; });
    return all;
}

// As far as the message itself says it. The plan says the rest: whether its queue exists, and who else retries it.
QString cannotGoBack(const records::FailedMessage &message)
{
    if (message.flags.testFlag(MessageFlag::OtherTool))
        return message.destination.knownFrom.isEmpty() ? Text::tr("Only the tool of its framework can return it.")
                                                       : message.destination.knownFrom;
    if (message.destination.queue.isEmpty())
        return Text::tr("Its destination is unknown.");
    if (message.flags.testFlag(MessageFlag::NotFaithful))
        return Text::tr("The HTTP interface of this broker cannot send its headers back unchanged.");
    return {};
}

api::ReadMessage shown(const store::NewMessage &message)
{
    api::ReadMessage read;
    read.failure = message.message.failure;
    read.failure.exceptionMessage.truncate(longestShownText);
    read.failure.stackTrace.truncate(longestShownText);
    read.messageType = message.message.messageType;
    read.destination = message.message.destination;
    read.group = message.titles.at(static_cast<size_t>(records::Classifier::ExceptionAndStack));
    read.conventions = message.message.conventions;
    read.cannotGoBack = cannotGoBack(message.message);
    return read;
}

} // namespace

ConventionTrials::ConventionTrials(const records::Connection &connection, const records::Conventions &stored,
                                   const Convention &convention, const QStringList &counters)
    : m_connection(connection)
    , m_stored(stored)
    , m_with(without(stored, convention.name))
    , m_counters(retry::resettingCounters(counters))
    , m_name(convention.name)
{
    addByName(m_with, convention);
}

records::Envelope ConventionTrials::sent(const store::Original &original, const QString &dialect,
                                         const records::Conventions &applied) const
{
    // Without an edit this cannot fail.
    records::Envelope copy = retry::contentToSend(m_connection.kind, records::OperationKind::Retry,
                                                  {dialect, applied + m_counters}, original.envelope, {})
                                 .value();
    copy.body.truncate(longestShownBody);
    return copy;
}

api::ConventionTrial ConventionTrials::of(const records::FailedMessage &record, const store::Original &original,
                                          const store::MessagePast &past) const
{
    // As it was read when it was stored, also if conventions were set since.
    const records::Conventions known = dialect::conventionsNamed(m_stored, original.conventions);
    const store::NewMessage before = intake::readAnew(m_connection, record, original, past, known);
    const store::NewMessage after = intake::readAnew(m_connection, record, original, past, m_with);
    api::ConventionTrial trial;
    trial.message = record.id;
    trial.applies = after.message.conventions.contains(m_name);
    trial.before = shown(before);
    trial.after = shown(after);
    trial.sentBefore = sent(original, before.message.dialect, known);
    trial.sentAfter =
        sent(original, after.message.dialect, dialect::conventionsNamed(m_with, after.message.conventions));
    return trial;
}

void EmptyHeaderSearch::add(const records::Connection &connection, const records::FailedMessage &record,
                            const store::Original &original, const store::MessagePast &past,
                            const records::Conventions &conventions)
{
    const records::Headers sent = dialect::withoutNulls(original.dialect, original.envelope,
                                                        dialect::conventionsNamed(conventions, original.conventions))
                                      .headers;
    for (const QString &name : original.receipt.lossyHeaders) {
        const QCborValue *value = records::find(sent, name);
        if (value != nullptr && dialect::isNull(*value))
            ++m_headers[name];
    }
    ++m_messages;
    m_connections.insert(connection.name);
    m_queues.insert(record.queue);
    const store::NewMessage read = intake::readAnew(connection, record, original, past, conventions);
    m_titles.insert(read.titles.at(static_cast<size_t>(records::Classifier::ExceptionAndStack)));
}

api::EmptyHeaders EmptyHeaderSearch::found(const records::Conventions &conventions) const
{
    api::EmptyHeaders found;
    found.messages = m_messages;
    for (auto it = m_headers.begin(); it != m_headers.end(); ++it)
        found.headers.append({it.key(), it.value()});
    if (!m_headers.isEmpty())
        found.convention = records::toJson(proposal(conventions));
    return found;
}

Convention EmptyHeaderSearch::proposal(const records::Conventions &conventions) const
{
    const auto sorted = [](const QSet<QString> &set) {
        QStringList list(set.begin(), set.end());
        list.sort();
        return list;
    };
    Convention fresh;
    if (m_connections.size() == 1)
        fresh.isFor.connection = *m_connections.begin();
    QString about;
    if (m_titles.size() == 1) {
        about = *m_titles.begin();
        fresh.isFor.group = Convention::For::Group{records::Classifier::ExceptionAndStack, about};
    } else {
        fresh.isFor.queues = sorted(m_queues);
        about = fresh.isFor.queues.join(QLatin1Char(' '));
    }
    fresh.name = core::safeText(Text::tr("Empty headers of %1").arg(about))
                     .replace(QLatin1Char('/'), QLatin1Char(' '))
                     .replace(QLatin1Char(','), QLatin1Char(' '))
                     .simplified()
                     .left(records::longestConventionName)
                     .trimmed();
    fresh.note =
        Text::tr("These headers are null, which the broker's interface cannot send. A missing one means the same.");
    const auto named = [&conventions](const QString &name) {
        return std::find_if(conventions.cbegin(), conventions.cend(),
                            [&name](const Convention &one) { return one.name == name; });
    };
    const QString name = fresh.name;
    auto known = named(name);
    for (int n = 2; known != conventions.cend() && known->isFor != fresh.isFor; ++n) {
        const QString number = QStringLiteral(" %1").arg(n);
        fresh.name = name.left(records::longestConventionName - number.size()) + number;
        known = named(fresh.name);
    }
    if (known != conventions.cend())
        fresh = *known;
    for (auto it = m_headers.begin(); it != m_headers.end(); ++it) {
        const Convention::BeforeRetry rule{Convention::BeforeRetry::Do::EmptyIsMissing,
                                           {records::MessagePlace::In::Header, it.key(), {}}};
        if (!fresh.beforeRetry.contains(rule) && fresh.beforeRetry.size() < records::mostConventionRules)
            fresh.beforeRetry.append(rule);
    }
    return fresh;
}

} // namespace engine
