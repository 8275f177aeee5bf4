#include "backend/core/secretfile.h"

#include "backend/core/text.h"

#include <QFile>

namespace core {

namespace {

constexpr qint64 longestLine = 64 * 1024;

// The text after the name and its "=". Nothing if the line is for another connection.
std::optional<QString> secretIn(const QString &line, const QString &connection)
{
    const QString text = line.trimmed();
    if (!text.startsWith(connection))
        return std::nullopt;
    const qsizetype equals = line.indexOf(QLatin1Char('='), line.indexOf(connection) + connection.size());
    const bool isWhole = equals >= 0 && QStringView(line).left(equals).trimmed() == connection;
    return isWhole ? std::optional(line.mid(equals + 1)) : std::nullopt;
}

} // namespace

Result<std::optional<QString>> secretFromFile(const QString &path, const QString &connection,
                                              const QStringList &connections)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        const QString text = Text::tr("The secret file '%1' cannot be read: %2.");
        return fail(ErrorKind::Refused, text.arg(path, file.errorString()));
    }
    while (!file.atEnd()) {
        QByteArray bytes = file.readLine(longestLine);
        while (bytes.endsWith('\n') || bytes.endsWith('\r'))
            bytes.chop(1);
        const QString line = QString::fromUtf8(bytes);
        const std::optional<QString> secret = secretIn(line, connection);
        if (!secret)
            continue;
        for (const QString &other : connections) {
            if (other == connection || !secretIn(line, other))
                continue;
            const QString text = Text::tr("A line of the secret file %1 fits both connections %2 and %3, so neither "
                                          "gets the secret. Rename one of them to a name without \"=\".");
            return fail(ErrorKind::Refused, text.arg(path, connection, other));
        }
        return secret;
    }
    return std::optional<QString>();
}

} // namespace core
