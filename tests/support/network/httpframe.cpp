#include "tests/support/network/httpframe.h"

#include <QList>

namespace support::httpframe {

namespace {

const QByteArray lineEnd = "\r\n";

// From the first chunk on, to the end of the last.
std::optional<qsizetype> endOfChunks(const QByteArray &bytes, qsizetype from)
{
    while (true) {
        const qsizetype line = bytes.indexOf(lineEnd, from);
        if (line < 0)
            return {};
        const qsizetype size = bytes.mid(from, line - from).split(';').constFirst().trimmed().toLongLong(nullptr, 16);
        from = line + lineEnd.size() + size + lineEnd.size();
        if (from > bytes.size())
            return {};
        if (size == 0)
            return from;
    }
}

} // namespace

QByteArray header(const QByteArray &message, const QByteArray &name)
{
    const QList<QByteArray> lines = message.left(message.indexOf("\r\n\r\n")).split('\n');
    for (const QByteArray &line : lines) {
        const qsizetype colon = line.indexOf(':');
        if (colon > 0 && line.left(colon).compare(name, Qt::CaseInsensitive) == 0)
            return line.mid(colon + 1).trimmed();
    }
    return {};
}

std::optional<qsizetype> sizeOf(const QByteArray &bytes, Of what)
{
    const qsizetype end = bytes.indexOf("\r\n\r\n");
    if (end < 0)
        return {};
    const qsizetype head = end + 4;
    const int status = what == Of::Request ? 0 : bytes.mid(bytes.indexOf(' ') + 1, 3).toInt();
    if (what == Of::AnswerWithoutBody || status == 204 || status == 304)
        return head;
    if (header(bytes, "Transfer-Encoding").compare("chunked", Qt::CaseInsensitive) == 0)
        return endOfChunks(bytes, head);
    const QByteArray length = header(bytes, "Content-Length");
    if (length.isEmpty() && what == Of::Answer)
        return {};
    const qsizetype size = head + length.toLongLong();
    return size <= bytes.size() ? std::optional(size) : std::nullopt;
}

} // namespace support::httpframe
