#include "backend/engine/planning/editrules.h"

#include "backend/api/rights.h"
#include "backend/broker/brokertraits.h"
#include "backend/dialect/confirmation.h"
#include "backend/dialect/counters.h"
#include "backend/dialect/dialect.h"
#include "backend/dialect/editing.h"
#include "backend/engine/text.h"
#include "backend/records/editing/editing.h"
#include "backend/retry/outgoing.h"

#include <QSet>

#include <algorithm>

namespace engine {

using core::ErrorKind;
using core::fail;
using Do = records::EditStep::Do;

namespace {

bool changesHeaders(const records::EditStep &step)
{
    return step.what == Do::SetHeader || step.what == Do::RemoveHeader || step.what == Do::RenameHeader;
}

template<typename Is>
bool hasStep(const records::Edit &edit, const Is &is)
{
    return std::any_of(edit.steps.begin(), edit.steps.end(), is);
}

} // namespace

QString cannotEdit(const records::Connection &connection)
{
    const core::Result<> allowed = api::checkRights(connection, records::Right::Edit);
    return allowed ? QString() : allowed.error().message;
}

core::Result<> checkPlanEdit(const PlanBasis &basis, records::OperationKind kind, const records::Edit &edit)
{
    if (edit.isEmpty())
        return {};
    if (kind == records::OperationKind::Release)
        return fail(ErrorKind::Refused, Text::tr("A release puts messages back as they failed and cannot edit them."));
    TRY(records::checkEdit(edit));
    if (!broker::traitsOf(basis.connection.kind).carriesHeaders && hasStep(edit, changesHeaders))
        return fail(ErrorKind::Rejected, Text::tr("Messages of %1 have no headers: only their bodies can be edited.")
                                             .arg(records::productName(basis.connection.kind)));
    return {};
}

core::Result<> checkWholeBody(const records::Edit &edit, qint64 count)
{
    if (count <= 1 || !hasStep(edit, [](const auto &step) { return step.what == Do::SetBody; }))
        return {};
    const QString text =
        Text::tr("The whole body can be replaced in one message only, and this set has %1. Change parts of the "
                 "bodies instead.");
    return fail(ErrorKind::Rejected, text.arg(count));
}

QString editPart(const records::Edit &edit)
{
    return edit.isEmpty() ? QString() : Text::tr(", edited: %1").arg(records::toSentence(edit));
}

static QString shownValue(const std::optional<QCborValue> &value)
{
    constexpr qsizetype mostShown = 200;
    if (!value)
        return {};
    const QString text = records::text(*value);
    return (text.isEmpty() ? value->toDiagnosticNotation() : text).left(mostShown);
}

static QList<api::ResetCounter> countersOf(const store::Original &original, const records::Conventions &applied)
{
    QList<api::ResetCounter> counters;
    const QList<records::HeaderChange> changes = dialect::resetCounters(original.dialect, original.envelope, applied);
    for (const records::HeaderChange &change : changes)
        counters.append({change.name, shownValue(change.before), shownValue(change.after)});
    return counters;
}

// A copy gets its stamp when it is sent; here only its size counts.
static records::Stamp likelyStamp()
{
    const QString id(36, u'0');
    return {id, QString(32, u'f'), core::OperationId{1}, 1, id, {}};
}

static QString addedHeaderOf(records::BrokerKind broker, const records::Envelope &content)
{
    if (!broker::traitsOf(broker).carriesHeaders)
        return {};
    const records::Envelope copy = retry::stampedIfItFits(broker, content, likelyStamp());
    return records::find(copy.headers, records::stampHeader) == nullptr ? QString() : records::stampHeader.toString();
}

static retry::MessageFormat formatOf(const store::Original &original, const OwnRules &rules)
{
    return {original.dialect, dialect::conventionsNamed(rules.conventions, original.conventions)
                                  + retry::resettingCounters(rules.counters)};
}

core::Result<records::Envelope> editedContent(records::BrokerKind broker, const store::Original &original,
                                              const OwnRules &rules, const records::Edit &edit,
                                              const records::EditLimit &limit)
{
    return retry::contentToSend(broker, records::OperationKind::Retry, formatOf(original, rules), original.envelope,
                                edit, limit);
}

// An older request is replaced or goes, so neither envelope shows it.
static void addRequest(api::EditSample &sample, const records::Connection &connection, const store::Original &original,
                       const ConfirmationRequest &request)
{
    if (!request.isWanted && !request.isStale)
        return;
    const records::Envelope &failed = original.envelope;
    const records::Envelope before = dialect::notAskingEndpoint(failed, sample.before);
    const records::Envelope after = dialect::notAskingEndpoint(failed, sample.after);
    const QString queue =
        request.isWanted ? retry::answerQueue(connection, original.dialect, failed, original.queue) : QString();
    const bool asks =
        !queue.isEmpty() && retry::askingIfItFits(connection.kind, failed, after, likelyStamp(), queue) != after;
    if (asks) {
        sample.answerQueue = queue;
        sample.confirmationHeaders = {dialect::confirmationIdHeader.toString(),
                                      dialect::confirmationQueueHeader.toString()};
    } else if (!request.isStale || !queue.isEmpty()) {
        return; // it goes as it is
    } else {
        for (const QStringView name : {dialect::confirmationIdHeader, dialect::confirmationQueueHeader})
            sample.withheld.append({name.toString(), dialect::requestText(failed, name), {}});
    }
    sample.before = before;
    sample.after = after;
}

api::EditSample sampleOf(const records::Connection &connection, core::MessageId message,
                         const store::Original &original, const OwnRules &rules, const ConfirmationRequest &request,
                         const core::Result<records::Envelope> &after)
{
    const records::BrokerKind broker = connection.kind;
    const retry::MessageFormat format = formatOf(original, rules);
    api::EditSample sample;
    sample.message = message;
    sample.before = editedContent(broker, original, rules, {}, {}).value();
    if (const QString why = records::whyNoText(sample.before.body); !why.isEmpty())
        sample.bodyNotEditable = Text::tr("The body cannot be edited: %1.").arg(why);
    sample.misfit = after ? QString() : retry::misfitReason(after.error());
    sample.after = after.value_or(sample.before);
    sample.addedHeader = addedHeaderOf(broker, sample.after);
    addRequest(sample, connection, original, request);
    sample.counters = countersOf(original, format.conventions);
    const records::Headers withheld = broker::withheldFrom(broker, original.envelope);
    for (const records::Header &header : withheld)
        sample.withheld.append({header.name, shownValue(header.value), {}});
    const records::Headers empty =
        dialect::droppedEmptyHeaders(original.dialect, original.envelope, format.conventions);
    for (const records::Header &header : empty)
        sample.emptyHeaders.append(header.name);
    QSet<QString> named;
    const records::Headers all = sample.before.headers + sample.after.headers;
    for (const records::Header &header : all) {
        const dialect::Care care = dialect::careOf(original.dialect, header.name);
        if (care.care != records::HeaderCare::Free && !named.contains(header.name))
            sample.notes.append({header.name, care.care, care.why});
        named.insert(header.name);
    }
    if (sample.before.body.size() > records::longestEditedBody) {
        sample.before.body.clear();
        sample.after.body.clear();
    }
    return sample;
}

} // namespace engine
