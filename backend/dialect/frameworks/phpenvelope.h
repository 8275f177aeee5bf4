// The body that the default serializer of Symfony Messenger writes: the envelope with its stamps and the message, as
// addslashes(serialize()), in Base64 if that is not UTF-8. Any thread. The body may be hostile.
// Source: symfony/messenger Transport/Serialization/PhpSerializer.php, Envelope.php.
#pragma once

#include "backend/dialect/frameworks/phpserialized.h"

#include <QJsonArray>
#include <QStringList>

namespace dialect {

class PhpEnvelope final
{
public:
    // Whether the body begins as one. Cheap.
    [[nodiscard]] static bool isOne(const QByteArray &body);
    // Nothing if the body does not have exactly this form.
    [[nodiscard]] static std::optional<PhpEnvelope> from(const QByteArray &body);

    [[nodiscard]] QString messageType() const; // the class of the message; may be empty
    // The stamps of one class, the newest last, as its JSON serializer writes them.
    [[nodiscard]] QJsonArray stampsOf(const QString &name) const;
    // The body without the stamps of these classes, in the form in which Symfony would write it. All other bytes stay.
    // Rejected as PhpSerialized::without() says.
    [[nodiscard]] core::Result<QByteArray> without(const QStringList &classes) const;

private:
    PhpEnvelope(QByteArray body, PhpSerialized content)
        : m_body(std::move(body))
        , m_content(std::move(content))
    {
    }
    [[nodiscard]] int stamps() const; // index of the array with lists of stamps by class; -1 if there is none

    QByteArray m_body;
    PhpSerialized m_content;
};

} // namespace dialect
