#include "backend/rehearsal/plainheaders.h"

namespace rehearsal {

records::Envelope withPlainHeaders(records::Envelope envelope)
{
    for (records::Header &header : envelope.headers) {
        const QCborValue &value = header.value;
        if (!value.isString() && !value.isInteger() && !value.isDouble() && !value.isBool())
            header.value = value.isNull() ? QString() : value.toDiagnosticNotation();
    }
    envelope.exchange.clear();
    envelope.routingKey.clear();
    return envelope;
}

} // namespace rehearsal
