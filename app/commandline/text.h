#pragma once

#include <QCoreApplication>

namespace commandline {

// The translation context of everything the command line says.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(CommandLine)

public:
    // A command has no translator that knows plurals.
    [[nodiscard]] static QString messages(qint64 count)
    {
        return count == 1 ? tr("1 message") : tr("%1 messages").arg(count);
    }
    [[nodiscard]] static QString matches(qint64 count)
    {
        return count == 1 ? tr("1 match") : tr("%1 matches").arg(count);
    }
    [[nodiscard]] static QString bytes(qint64 count) { return count == 1 ? tr("1 byte") : tr("%1 bytes").arg(count); }
};

} // namespace commandline
