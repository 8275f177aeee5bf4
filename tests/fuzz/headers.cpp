// Headers as the store keeps them, and our stamp. c: CBOR. e: a message in parts (messages.h). s: the text of a stamp. t: the
// name of a type. d: a message in the file of the embedded broker.
#include "backend/records/messages/headers.h"
#include "backend/localbroker/message.h"
#include "backend/records/messages/stamp.h"
#include "backend/records/messages/typename.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/messages.h"

using fuzz::holds;
using records::Headers;

namespace {

void same(const Headers &headers)
{
    const QByteArray cbor = records::toCbor(headers);
    const core::Result<Headers> again = records::headersFromCbor(cbor);
    holds(again.has_value(), "what is kept can be read", cbor.toHex());
    holds(records::toCbor(*again) == cbor, "what is kept stays the same", cbor.toHex());
    holds(again->size() == headers.size(), "every header is kept");
    for (qsizetype i = 0; i < headers.size(); ++i) {
        const records::Header &header = headers.at(i);
        holds(again->at(i).name == header.name, "every name is kept", header.name.toUtf8());
        holds(again->at(i).value.toString() == header.value.toString(), "every text is kept", cbor.toHex());
    }
}

void cbor(const QByteArray &bytes)
{
    const core::Result<Headers> headers = records::headersFromCbor(bytes);
    if (!headers) {
        holds(headers.error().kind == core::ErrorKind::Corrupt && !headers.error().message.isEmpty(),
              "an error says so");
        return;
    }
    same(*headers);
    for (const records::Header &header : *headers) {
        (void)records::text(header.value);
        holds(records::find(*headers, header.name) != nullptr, "a header is found by its name");
    }
    (void)records::stampOf(*headers);
}

void envelope(const QByteArrayList &parts)
{
    Headers headers = fuzz::envelopeFrom(parts).headers;
    same(headers);
    if (headers.isEmpty())
        return;
    const QString name = headers.constFirst().name;
    records::set(headers, name, QStringLiteral("changed"));
    holds(records::text(headers, name) == QLatin1String("changed"), "what is set is found");
    records::remove(headers, name);
    holds(records::find(headers, name) == nullptr, "what is removed is gone");
}

void stamp(const QString &text)
{
    const std::optional<records::Stamp> stamp = records::stampFrom(text);
    if (!stamp)
        return;
    holds(!stamp->store.isEmpty() && !stamp->uniqueId.isEmpty(), "a stamp names store and message");
    const std::optional<records::Stamp> again = records::stampFrom(records::toText(*stamp));
    holds(again && *again == *stamp, "a stamp is read as it is written", text.toUtf8());
    const records::Headers headers{{records::stampHeader.toString(), records::toText(*stamp)}};
    holds(records::stampOf(headers) == stamp, "a stamp is found on its message");
}

void draft(const QByteArray &bytes)
{
    const std::optional<localbroker::Draft> draft = localbroker::draftFromCbor(bytes);
    if (!draft)
        return;
    const QByteArray cbor = localbroker::draftToCbor(*draft);
    const std::optional<localbroker::Draft> again = localbroker::draftFromCbor(cbor);
    holds(again && localbroker::draftToCbor(*again) == cbor, "what is kept stays the same", cbor.toHex());
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz::Input input(data, size);
    switch (input.mode()) {
    case 'c':
        cbor(input.rest());
        break;
    case 'e':
        envelope(input.parts());
        break;
    case 's':
        stamp(input.text());
        break;
    case 't':
        holds(records::shortTypeName(input.text()).size() <= input.text().size(), "a short name is not longer");
        break;
    case 'd':
        draft(input.rest());
        break;
    default:
        break;
    }
    return 0;
}
