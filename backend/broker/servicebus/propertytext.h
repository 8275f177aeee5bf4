#pragma once

#include <QByteArray>
#include <QCborValue>

#include <optional>

namespace broker {

// Custom properties in HTTP headers (protocols.md A.2): text in quotes with JSON's escapes, numbers and bools bare.
// Written text is read back as it was; what others wrote is read leniently: one outer pair of quotes is taken off, and
// what is neither quoted nor a number nor a bool is text.
[[nodiscard]] QCborValue propertyFromText(const QByteArray &text);
// Nothing for kinds that this form cannot carry (bytes, arrays, maps, null).
[[nodiscard]] std::optional<QByteArray> propertyToText(const QCborValue &value);
// Whether a header of an answer is a custom property of the message. What proxies add under a name of their own has no
// quotes, so under those names only quoted text is one: a property that is dropped would be lost for good.
[[nodiscard]] bool isProperty(const QString &name, const QByteArray &text);
// The name can be the name of an HTTP header and means nothing else there, so that it arrives when we send it.
[[nodiscard]] bool canBeHeaderName(const QString &name);

} // namespace broker
