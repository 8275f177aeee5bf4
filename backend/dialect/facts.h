// Reads the texts and names in which frameworks write facts. All input may be hostile and is limited in length. What
// cannot be read gives an empty result.
#pragma once

#include "backend/dialect/table.h"

namespace dialect {

struct ExceptionText
{
    QString type;
    QString message;
    QString stack; // the whole text

    [[nodiscard]] bool isEmpty() const { return type.isEmpty(); }
};

// Reads Exception.ToString() of .NET: "Shop.OutOfStock: none left\n ---> ...\n   at Shop.Store.Save(Order order)", also
// after a prefix that ends in ": ", as in "2026-06-15 10:22:33 +00:00: Shop.OutOfStock: none left".
[[nodiscard]] ExceptionText dotNetException(const QString &text);
// Reads Throwable.printStackTrace() of Java. Type and message are those of the innermost cause.
[[nodiscard]] ExceptionText javaException(const QString &text);

// Reads ISO 8601 with an offset from UTC, or seconds or milliseconds since 1970. Nothing for a time before 1970 or
// after 9999.
[[nodiscard]] std::optional<core::TimePoint> timeFrom(const QString &text, TimeForm form);

// The queue in an address, with this certainty. Empty if the address names no queue.
[[nodiscard]] records::Destination queueOf(const QString &address, AddressForm form, records::Certainty certainty);

} // namespace dialect
