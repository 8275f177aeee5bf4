#pragma once

#include <QCoreApplication>

namespace commandline {

// The translation context of all texts of the command line.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(CommandLine)

public:
    // Chooses the plural form here, because a command loads no translation file with plural forms.
    [[nodiscard]] static QString messages(qint64 count)
    {
        return count == 1 ? tr("1 message") : tr("%1 messages").arg(count);
    }
    [[nodiscard]] static QString matches(qint64 count)
    {
        return count == 1 ? tr("1 match") : tr("%1 matches").arg(count);
    }
    [[nodiscard]] static QString emptyHeaders(qint64 count)
    {
        return count == 1 ? tr("1 empty header") : tr("%1 empty headers").arg(count);
    }
    [[nodiscard]] static QString bytes(qint64 count) { return count == 1 ? tr("1 byte") : tr("%1 bytes").arg(count); }
};

} // namespace commandline
