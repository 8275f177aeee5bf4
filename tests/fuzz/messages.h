// Messages and answers as bytes, so that they can be written by hand and made up.
#pragma once

#include "backend/http/httpclient.h"
#include "backend/records/messages/headers.h"

namespace fuzz {

// One message in parts, each with a letter in front that says what it is: h and p a header and a property, NAME=VALUE; b the
// body; e the exchange; k the routing key. A VALUE has its kind in front: s text, i integer, d double, x bytes, t true, f
// false, n nothing, j JSON. Parts of other letters are passed over.
[[nodiscard]] records::Envelope envelopeFrom(const QByteArrayList &parts);
// What stands behind this letter in the first such part.
[[nodiscard]] QString textOf(const QByteArrayList &parts, char letter);

// An answer as it is written on the wire, without version and phrase: "200", lines "Name: value", an empty line, the body.
[[nodiscard]] http::Response responseFrom(const QByteArray &bytes);

} // namespace fuzz
