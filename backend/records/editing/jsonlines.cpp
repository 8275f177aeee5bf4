#include "backend/records/editing/jsonlines.h"

#include <algorithm>

namespace records {

QString indentedJson(const QString &json)
{
    constexpr int step = 2;
    constexpr int deepest = 32; // deeper lines are not indented further: a hostile text would grow to its square
    QString out;
    out.reserve(json.size() * 2);
    int depth = 0;
    bool inString = false;
    const auto newLine = [&] {
        out += QLatin1Char('\n') + QString(std::clamp(depth, 0, deepest) * step, QLatin1Char(' '));
    };
    for (qsizetype i = 0; i < json.size(); ++i) {
        const QChar c = json.at(i);
        if (inString) {
            out += c;
            if (c == QLatin1Char('\\') && i + 1 < json.size())
                out += json.at(++i);
            else if (c == QLatin1Char('"'))
                inString = false;
            continue;
        }
        switch (c.unicode()) {
        case u' ':
        case u'\t':
        case u'\r':
        case u'\n':
            break;
        case u'"':
            inString = true;
            out += c;
            break;
        case u'{':
        case u'[': {
            out += c;
            qsizetype next = i + 1;
            while (next < json.size() && json.at(next).isSpace())
                ++next;
            const QChar close = c == QLatin1Char('{') ? QLatin1Char('}') : QLatin1Char(']');
            if (next < json.size() && json.at(next) == close) {
                out += close;
                i = next;
                break;
            }
            ++depth;
            newLine();
            break;
        }
        case u'}':
        case u']':
            --depth;
            newLine();
            out += c;
            break;
        case u',':
            out += c;
            newLine();
            break;
        case u':':
            out += QStringLiteral(": ");
            break;
        default:
            out += c;
        }
    }
    return out;
}

} // namespace records
