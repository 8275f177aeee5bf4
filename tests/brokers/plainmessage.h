#pragma once

#include "backend/records/messages/message.h"

namespace test {

// Nothing but a body.
inline records::Envelope message(const QByteArray &body)
{
    records::Envelope envelope;
    envelope.body = body;
    return envelope;
}

} // namespace test
