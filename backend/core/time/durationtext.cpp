#include "backend/core/time/durationtext.h"

#include "backend/core/text.h"

#include <array>

namespace core {

namespace {

struct Unit
{
    qint64 seconds;
    const char *word;
    char16_t letter;
};

constexpr std::array units{Unit{86400, "%1 d", u'd'}, Unit{3600, "%1 h", u'h'}, Unit{60, "%1 min", u'm'},
                           Unit{1, "%1 s", u's'}};
constexpr qint64 msOfSecond = 1000;
constexpr qint64 mostSeconds = 100LL * 366 * 86400;

} // namespace

QString durationText(Milliseconds span)
{
    qint64 left = std::max<qint64>(span.count(), 0) / msOfSecond;
    QString text;
    for (size_t i = 0; i < units.size(); ++i) {
        const qint64 whole = left / units.at(i).seconds;
        const bool last = i + 1 == units.size();
        if (whole == 0 && !(last && text.isEmpty())) {
            if (!text.isEmpty())
                break; // a few seconds do not matter beside "1 d"
            continue;
        }
        left -= whole * units.at(i).seconds;
        const QString part = Text::tr(units.at(i).word).arg(whole);
        if (!text.isEmpty())
            return text + QLatin1Char(' ') + part;
        text = part;
    }
    return text;
}

std::optional<Milliseconds> durationFrom(QStringView text)
{
    const QStringView trimmed = text.trimmed();
    for (const Unit &unit : units) {
        if (!trimmed.endsWith(QChar(unit.letter)))
            continue;
        bool ok = false;
        const qint64 number = trimmed.chopped(1).toLongLong(&ok);
        if (!ok || number < 0 || number > mostSeconds / unit.seconds)
            return std::nullopt;
        return Milliseconds{number * unit.seconds * msOfSecond};
    }
    return std::nullopt;
}

QString durationWord(Milliseconds span)
{
    const qint64 seconds = std::max<qint64>(span.count(), 0) / msOfSecond;
    const Unit *fitting = &units.back();
    for (const Unit &unit : units) {
        const bool isOneDay = unit.letter == u'd' && seconds == unit.seconds; // people say 24 h
        if (seconds == 0 || seconds % unit.seconds != 0 || isOneDay)
            continue;
        fitting = &unit;
        break;
    }
    return QString::number(seconds / fitting->seconds) + QChar(fitting->letter);
}

} // namespace core
