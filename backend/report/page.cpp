#include "backend/report/page.h"

#include <QDateTime>
#include <QLocale>

namespace report {

static const char style[] =
    ":root{--ground:#fff;--text:#1b1f24;--muted:#5a636e;--line:#d5dae0;--head:#f4f6f8;--sent:#2f7d4f;--staged:#3a6ea5;"
    "--back:#b35900;--bad:#b3261e;--doubt:#8a6d00;--rest:#a8b0ba}"
    "@media(prefers-color-scheme:dark){:root{--ground:#16191d;--text:#e4e8ec;--muted:#9aa4af;--line:#343b43;"
    "--head:#1f242a;--sent:#5fbf86;--staged:#7fb2e5;--back:#f0a35c;--bad:#f28b82;--doubt:#d9bc55;--rest:#5d6670}}"
    "*{box-sizing:border-box}body{margin:0 auto;max-width:68rem;padding:2rem 1.5rem 4rem;background:var(--ground);"
    "color:var(--text);font:15px/1.5 Inter,'DejaVu Sans',system-ui,sans-serif}"
    "h1{font-size:1.6rem;margin:0 0 .25rem}h2{font-size:1.1rem;margin:2.2rem 0 .6rem}p{margin:.3rem 0}"
    ".muted,.note{color:var(--muted)}.note{font-size:.9em}"
    "table{border-collapse:collapse;width:100%;font-size:.93em}"
    "th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;border-bottom:1px solid var(--line);"
    "overflow-wrap:anywhere;white-space:pre-wrap;min-width:7rem}"
    "thead th{background:var(--head);font-weight:600}.n{text-align:right;white-space:nowrap;min-width:0;"
    "font-variant-numeric:tabular-nums}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.2rem;margin:1rem 0}dt{color:var(--muted)}"
    "dd{margin:0;overflow-wrap:anywhere;white-space:pre-wrap}svg{display:block;width:100%;height:auto}"
    ".key{display:inline-block;margin-right:1.2rem}.key i{display:inline-block;width:.8em;height:.8em;"
    "margin-right:.4em;border-radius:2px}svg text{fill:var(--muted);font-size:11px}"
    "@media print{body{max-width:none;padding:0}tr,svg{break-inside:avoid}}";

QString escaped(const QString &text)
{
    QString shown;
    shown.reserve(text.size());
    for (const QChar one : text) {
        const bool layout = one == u'\n' || one == u'\t';
        const bool hidden =
            !layout && (one.category() == QChar::Other_Control || one.category() == QChar::Other_Format);
        if (hidden)
            shown += QStringLiteral("\\u%1").arg(one.unicode(), 4, 16, QLatin1Char('0'));
        else
            shown += one;
    }
    return shown.toHtmlEscaped();
}

QString number(qint64 count)
{
    return QLocale(QLocale::English).toString(count);
}

QString utc(const std::optional<core::TimePoint> &at)
{
    if (!at)
        return QStringLiteral("–");
    return QDateTime::fromMSecsSinceEpoch(core::toMs(*at), Qt::UTC).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

QString span(core::Milliseconds length)
{
    const qint64 seconds = length.count() / 1000;
    const auto two = [](qint64 value) { return QStringLiteral("%1").arg(value, 2, 10, QLatin1Char('0')); };
    if (seconds >= 3600)
        return QStringLiteral("%1 h %2 min %3 s")
            .arg(QString::number(seconds / 3600), two(seconds / 60 % 60), two(seconds % 60));
    if (seconds >= 60)
        return QStringLiteral("%1 min %2 s").arg(QString::number(seconds / 60), two(seconds % 60));
    return QStringLiteral("%1 s").arg(double(length.count()) / 1000, 0, 'f', 1);
}

QString section(const QString &title, const QString &content, const QString &note)
{
    if (content.isEmpty())
        return {};
    QString text = QStringLiteral("<section><h2>") + escaped(title) + QStringLiteral("</h2>\n") + content;
    if (!note.isEmpty())
        text += QStringLiteral("<p class=\"note\">") + escaped(note) + QStringLiteral("</p>\n");
    return text + QStringLiteral("</section>\n");
}

QString table(const QList<Column> &columns, const QList<QStringList> &rows)
{
    if (rows.isEmpty())
        return {};
    const auto cell = [&columns](const QString &tag, qsizetype column, const QString &text) {
        const QString kind = columns.at(column).isNumber ? QStringLiteral(" class=\"n\"") : QString();
        return QLatin1Char('<') + tag + kind + QLatin1Char('>') + escaped(text) + QStringLiteral("</") + tag
               + QLatin1Char('>');
    };
    QString text = QStringLiteral("<table><thead><tr>");
    for (qsizetype column = 0; column < columns.size(); ++column)
        text += cell(QStringLiteral("th"), column, columns.at(column).title);
    text += QStringLiteral("</tr></thead><tbody>\n");
    for (const QStringList &row : rows) {
        text += QStringLiteral("<tr>");
        for (qsizetype column = 0; column < columns.size(); ++column)
            text += cell(QStringLiteral("td"), column, row.at(column));
        text += QStringLiteral("</tr>\n");
    }
    return text + QStringLiteral("</tbody></table>\n");
}

QString facts(const QList<std::pair<QString, QString>> &rows)
{
    QString text = QStringLiteral("<dl>\n");
    for (const auto &[name, value] : rows) {
        if (!value.isEmpty())
            text += QStringLiteral("<dt>") + escaped(name) + QStringLiteral("</dt><dd>") + escaped(value)
                    + QStringLiteral("</dd>\n");
    }
    return text + QStringLiteral("</dl>\n");
}

// The content security policy stops a browser from loading or running anything, whatever text the page holds.
QString page(const QString &title, const QString &body)
{
    return QStringLiteral("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
                          "<meta http-equiv=\"Content-Security-Policy\""
                          " content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
                          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>")
           + escaped(title) + QStringLiteral("</title>\n<style>") + QLatin1String(style)
           + QStringLiteral("</style></head><body>\n") + body + QStringLiteral("</body></html>\n");
}

} // namespace report
