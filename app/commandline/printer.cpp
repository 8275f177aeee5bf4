#include "app/commandline/printer.h"

#include "backend/core/text/safetext.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace commandline {

namespace {

constexpr int barWidth = 30;

// Writes unsafe characters as JSON escapes. They occur only within strings, so the document keeps its meaning.
QByteArray harmlessJson(const QByteArray &json)
{
    constexpr uchar firstOther = 0x7f; // QJsonDocument escapes the ASCII control characters
    if (std::none_of(json.begin(), json.end(), [](char one) { return uchar(one) >= firstOther; }))
        return json;
    QString clean;
    clean.reserve(json.size());
    for (const char32_t character : QString::fromUtf8(json).toUcs4()) {
        const auto units = QChar::fromUcs4(character);
        if (!core::isUnsafe(character)) {
            clean += units;
            continue;
        }
        for (const QChar unit : QStringView(units))
            clean += QStringLiteral("\\u%1").arg(uint(unit.unicode()), 4, 16, QLatin1Char('0'));
    }
    return clean.toUtf8();
}

QList<qsizetype> widthsOf(const Table &table)
{
    QList<qsizetype> widths;
    for (const QString &title : table.header)
        widths.append(title.size());
    for (const QStringList &row : table.rows) {
        for (qsizetype i = 0; i < std::min(row.size(), widths.size()); ++i)
            widths[i] = std::max(widths.at(i), row.at(i).size());
    }
    return widths;
}

QByteArray aligned(const QStringList &cells, const QList<qsizetype> &widths, const QList<bool> &numeric)
{
    QString line;
    for (qsizetype i = 0; i < cells.size(); ++i) {
        const bool right = numeric.value(i, false);
        const bool last = i + 1 == cells.size();
        if (right)
            line += cells.at(i).rightJustified(widths.value(i));
        else
            line += last ? cells.at(i) : cells.at(i).leftJustified(widths.value(i));
        if (!last)
            line += QStringLiteral("  ");
    }
    return line.toUtf8() + '\n';
}

} // namespace

QString harmless(const QString &text)
{
    QString clean = core::safeText(text, u"\n\t\r");
    for (QChar &character : clean) {
        if (character == QLatin1Char('\n') || character == QLatin1Char('\t') || character == QLatin1Char('\r'))
            character = QLatin1Char(' ');
    }
    return clean;
}

QString localTime(core::TimePoint time)
{
    return QDateTime::fromMSecsSinceEpoch(core::toMs(time)).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

QString bar(qint64 done, qint64 total)
{
    const qint64 part = total <= 0 ? 0 : std::clamp<qint64>(done * barWidth / total, 0, barWidth);
    const qint64 percent = total <= 0 ? 0 : std::clamp<qint64>(done * 100 / total, 0, 100);
    return QLatin1Char('[') + QString(part, QLatin1Char('#')) + QString(barWidth - part, QLatin1Char(' '))
           + QStringLiteral("] %1 %").arg(percent, 3);
}

Printer::Printer(Terminal terminal, bool json)
    : m_terminal(std::move(terminal))
    , m_json(json)
{
}

void Printer::document(const QJsonValue &value)
{
    const QJsonDocument document = value.isArray() ? QJsonDocument(value.toArray()) : QJsonDocument(value.toObject());
    endProgress();
    m_terminal.out(harmlessJson(document.toJson(QJsonDocument::Compact)) + '\n');
}

void Printer::line(const QString &text)
{
    if (m_json)
        return;
    endProgress();
    m_terminal.out(harmless(text).toUtf8() + '\n');
}

void Printer::table(const Table &table)
{
    if (m_json)
        return;
    Table clean = table;
    for (QStringList &row : clean.rows) {
        for (QString &cell : row)
            cell = harmless(cell);
    }
    endProgress();
    const QList<qsizetype> widths = widthsOf(clean);
    m_terminal.out(aligned(clean.header, widths, clean.numeric));
    for (const QStringList &row : clean.rows)
        m_terminal.out(aligned(row, widths, clean.numeric));
}

void Printer::raw(const QByteArray &bytes)
{
    endProgress();
    if (!m_terminal.outIsTerminal) {
        m_terminal.out(bytes);
        return;
    }
    m_terminal.out(core::safeText(QString::fromUtf8(bytes), u"\n\t").toUtf8() + '\n');
}

void Printer::error(const QString &text)
{
    endProgress();
    m_terminal.err("redrive: " + harmless(text).toUtf8() + '\n');
}

void Printer::aside(const QString &text)
{
    if (!m_json || m_terminal.errIsTerminal)
        error(text);
}

void Printer::hint(const QString &text)
{
    if (m_terminal.errIsTerminal)
        error(text);
}

void Printer::progress(const QString &text)
{
    if (!m_terminal.errIsTerminal || m_json)
        return;
    m_progressShown = true;
    m_terminal.err("\r\033[K" + harmless(text).toUtf8());
}

void Printer::endProgress()
{
    if (!std::exchange(m_progressShown, false))
        return;
    m_terminal.err("\r\033[K");
}

} // namespace commandline
