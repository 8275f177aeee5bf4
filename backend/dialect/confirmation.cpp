#include "backend/dialect/confirmation.h"

#include "backend/dialect/frameworks/packed.h"
#include "backend/dialect/table.h"

#include <QUuid>

namespace dialect {

namespace {

constexpr QStringView confirmedHeader = u"ServiceControl.Retry.Successful";

records::Headers headersOf(const records::Envelope &failed)
{
    return packedHeaders(failed).value_or(failed.headers);
}

// Changes the headers of the copy where the framework reads them. The copy may have lost the attributes of its broker,
// which show that headers are packed.
template<typename Change>
records::Envelope withHeaders(const records::Envelope &failed, records::Envelope copy, const Change &change)
{
    std::optional<records::Headers> packed = packedHeaders(failed) ? packedIn(copy) : std::nullopt;
    if (!packed) {
        change(copy.headers);
        return copy;
    }
    change(*packed);
    return packedAgain(copy, *packed);
}

} // namespace

bool canAskEndpoint(const QString &dialect, const records::Envelope &failed)
{
    return dialectNamed(dialect).capabilities.testFlag(Capability::Confirms)
           && records::find(headersOf(failed), confirmedHeader) == nullptr;
}

QStringList confirmingDialects()
{
    QStringList names;
    for (const Dialect &entry : dialects()) {
        if (entry.capabilities.testFlag(Capability::Confirms))
            names.append(entry.name);
    }
    return names;
}

QString requestedId(const records::Envelope &failed)
{
    const records::Headers headers = headersOf(failed);
    if (records::find(headers, confirmationQueueHeader) == nullptr)
        return {};
    const QUuid id = QUuid::fromString(records::text(headers, confirmationIdHeader).left(64));
    return id.isNull() ? QString() : id.toString(QUuid::Id128);
}

QString requestText(const records::Envelope &failed, QStringView header)
{
    return records::text(headersOf(failed), header);
}

records::Envelope askingEndpoint(const records::Envelope &failed, records::Envelope copy, const QString &uniqueId,
                                 const QString &queue)
{
    const QUuid id = QUuid::fromRfc4122(QByteArray::fromHex(uniqueId.toLatin1()));
    if (id.isNull())
        return copy;
    return withHeaders(failed, std::move(copy), [&](records::Headers &headers) {
        records::set(headers, confirmationIdHeader.toString(), id.toString(QUuid::WithoutBraces));
        records::set(headers, confirmationQueueHeader.toString(), queue);
    });
}

records::Envelope notAskingEndpoint(const records::Envelope &failed, records::Envelope copy)
{
    return withHeaders(failed, std::move(copy), [](records::Headers &headers) {
        records::remove(headers, confirmationIdHeader);
        records::remove(headers, confirmationQueueHeader);
    });
}

} // namespace dialect
