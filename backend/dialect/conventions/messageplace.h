// The places that conventions of a person name in a message: what is there, and changes before a retry. All input may be
// hostile: an unexpected form has no value and stays unchanged.
#pragma once

#include "backend/dialect/messageview.h"
#include "backend/records/conventions/convention.h"

#include <QHash>

namespace dialect {

// Reads places of one message. Each JSON text is parsed once. The envelope must outlive the reader. Not thread-safe.
class PlaceReader final
{
public:
    explicit PlaceReader(const records::Envelope &envelope)
        : m_envelope(envelope)
    {
    }

    // Undefined if there is nothing. A JSON text that is larger than bounds::jsonBody has no values.
    [[nodiscard]] QCborValue at(const records::MessagePlace &place) const;

private:
    [[nodiscard]] QJsonValue jsonOf(const QString &way, const QCborValue &text) const;

    const records::Envelope &m_envelope;
    mutable QHash<QString, QJsonValue> m_texts; // JSON texts in headers and properties, by the way to them
    mutable std::optional<QJsonValue> m_body;
};

// Both change nothing but this place; all other bytes of a JSON text stay.
//
// An entry of a list stays: without it the others would move up, and the next retry would remove another one.
void removeAt(records::Envelope &envelope, const records::MessagePlace &place);
// Of the type that it had. What is no number stays.
void setToZeroAt(records::Envelope &envelope, const records::MessagePlace &place);

} // namespace dialect
