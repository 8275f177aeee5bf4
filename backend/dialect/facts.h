// Texts and names that frameworks write facts in. All bounded, all hostile: what cannot be read is nothing.
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

// Exception.ToString() of .NET: "Shop.OutOfStock: none left\n ---> ...\n   at Shop.Store.Save(Order order)". Also found
// behind a prefix that ends in ": ", as "2026-06-15 10:22:33 +00:00: Shop.OutOfStock: none left".
[[nodiscard]] ExceptionText dotNetException(const QString &text);
// Throwable.printStackTrace() of Java; the innermost cause decides.
[[nodiscard]] ExceptionText javaException(const QString &text);

// ISO 8601 that names its offset from UTC, or seconds or milliseconds since 1970. Never before that, never after 9999.
[[nodiscard]] std::optional<core::TimePoint> timeFrom(const QString &text, TimeForm form);

// The queue that an address names, and how sure that is; empty when it names none.
[[nodiscard]] records::Destination queueOf(const QString &address, AddressForm form, records::Certainty certainty);

} // namespace dialect
