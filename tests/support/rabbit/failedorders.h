#pragma once

#include "backend/records/messages/headers.h"

#include <QStringList>

#include <optional>

namespace support {

// Failed messages as NServiceBus leaves them in its error queue. Each is made from its number alone, so that what arrives
// anywhere can be compared with what failed. Of 40 in a row: 12 of cause 0, 8 of cause 1, 4 of each of the other five; of 4 in a
// row: one for each of three queues with odd names and one for a queue that does not exist. Bodies have 2 KB; each tenth is
// binary, each fiftieth empty, and one has 300 KB.
class FailedOrders final
{
public:
    // Numbers from `first` on.
    explicit FailedOrders(int count, int first = 0);

    [[nodiscard]] int count() const { return m_count; }
    [[nodiscard]] records::Envelope envelope(int number) const;
    [[nodiscard]] QList<records::Envelope> envelopes() const;
    [[nodiscard]] QList<int> numbers() const;
    // Numbers of these causes; with an existing destination only, if asked for.
    [[nodiscard]] QList<int> numbers(const QList<int> &ofCauses, bool deliverable) const;

    [[nodiscard]] static int causeOf(int number);
    [[nodiscard]] static QString destinationOf(int number);
    [[nodiscard]] static QByteArray bodyOf(int number);
    [[nodiscard]] static QString exceptionOf(int cause); // the title of its group begins with it
    [[nodiscard]] static QStringList destinations(); // those that exist
    [[nodiscard]] static QString missingDestination();
    static constexpr int causes = 7;

    // Which message this is a copy of; nothing: none of ours.
    [[nodiscard]] static std::optional<int> numberOf(const records::Envelope &copy);
    [[nodiscard]] static std::optional<int> numberOf(const QString &messageId);
    // What is wrong with a copy that arrived in a queue after a retry; empty: nothing. Wrong are a queue that is not its
    // destination, another body, a failure header, a header or property of another value or type, one too many.
    [[nodiscard]] static QString faultOf(const records::Envelope &copy, const QString &queue);

private:
    int m_count;
    int m_first;
};

} // namespace support
