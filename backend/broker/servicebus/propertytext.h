#pragma once

#include <QByteArray>
#include <QCborValue>

#include <optional>

namespace broker {

// Custom properties in HTTP headers (protocols.md A.2): text in quotes with JSON's escapes, numbers and bools without
// quotes. Text that we wrote is read back unchanged. Text of others is read leniently: one outer pair of quotes is
// removed, and anything else that is no number and no bool is text.
[[nodiscard]] QCborValue propertyFromText(const QByteArray &text);
// Nothing: this form cannot carry the type (bytes, arrays, maps, null).
[[nodiscard]] std::optional<QByteArray> propertyToText(const QCborValue &value);
// Whether a header of an answer is a custom property of the message. Proxies add headers without quotes, so under their
// names only quoted text is a property: a property that is dropped would be lost for good.
[[nodiscard]] bool isProperty(const QString &name, const QByteArray &text);
// Whether the name is valid for an HTTP header and has no other meaning there, so that it arrives when we send it.
[[nodiscard]] bool canBeHeaderName(const QString &name);

} // namespace broker
