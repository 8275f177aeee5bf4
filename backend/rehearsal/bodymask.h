#pragma once

#include <QByteArray>

namespace rehearsal {

// The body without what it says: letters become x, digits 0. Length and structure stay, so that programs still read it:
//  - JSON keeps the names of its fields, its escapes, true, false and null. The first digit of a number becomes 1,
//    because JSON does not allow 00.
//  - XML keeps its tags and the names of its attributes.
//  - Bytes that are no UTF-8 become 0.
// JSON and XML are recognized by their first character and may be damaged. Pure: any thread.
[[nodiscard]] QByteArray maskedBody(const QByteArray &body);

} // namespace rehearsal
