// Lines of exports: 'l' one line; 'v' the value of a header as JSON.
#include "backend/core/text/cborcodec.h"
#include "backend/records/editing/jsonpatcher.h"
#include "backend/transfer/messageline.h"
#include "backend/transfer/messagereader.h"
#include "backend/transfer/valuejson.h"
#include "tests/fuzz/fuzz.h"

#include <QJsonDocument>

using fuzz::holds;

namespace {

void checkFault(const core::Error &error, const QByteArray &shown)
{
    holds(error.kind == core::ErrorKind::Rejected && !error.message.isEmpty(), "an error says what is wrong", shown);
    holds(!fuzz::hasHarmful(error.message), "an error is harmless", error.message.toUtf8());
}

void checkLine(const QByteArray &text)
{
    const core::Result<transfer::Line> line = transfer::lineFrom(text);
    if (!line)
        return checkFault(line.error(), text);
    if (line->kind != transfer::Line::Kind::Message)
        return;
    core::Result<QByteArray> written = transfer::messageLine(line->message);
    holds(written.has_value(), "what is read can be written", text);
    holds(written->endsWith('\n') && written->count('\n') == 1, "a message is one line", *written);
    written->chop(1);
    const core::Result<transfer::Line> again = transfer::lineFrom(*written);
    holds(again && core::encode(again->message).toCbor() == core::encode(line->message).toCbor(),
          "what is written is read as it was", *written);
}

void checkValue(const QByteArray &json)
{
    if (!json.isValidUtf8() || records::jsonFault(json))
        return;
    const core::Result<QCborValue> value = transfer::valueFrom(records::JsonNode(json));
    if (!value)
        return checkFault(value.error(), json);
    const QByteArray written = QJsonDocument(transfer::valueJson(*value)).toJson(QJsonDocument::Compact);
    const core::Result<QCborValue> again = transfer::valueFrom(records::JsonNode(written));
    holds(again && again->toCbor() == value->toCbor(), "a value is read as it was", written);
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz::Input input(data, size);
    switch (input.mode()) {
    case 'l':
        checkLine(input.rest());
        break;
    case 'v':
        checkValue(input.rest());
        break;
    default:
        break;
    }
    return 0;
}
