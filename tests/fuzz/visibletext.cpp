// Text of brokers as the window shows it. l: one line. m: many lines. q: the name of a queue. c: fields of a CSV line. b: a body.
// j: JSON that is indented.
#include "models/common/visibletext.h"
#include "backend/records/editing/jsonlines.h"
#include "models/common/csv.h"
#include "models/detail/bodytext.h"
#include "tests/fuzz/fuzz.h"

#include <QJsonDocument>

#include <algorithm>

using fuzz::holds;

namespace {

constexpr qsizetype longestMark = 10; // "‹U+10FFFF›", which may stand for the last one

void lineOf(const QString &text)
{
    constexpr qsizetype longest = 60;
    const QString shown = models::visibleLine(text, longest);
    holds(!fuzz::hasHarmful(shown), "what is shown is harmless", shown.toUtf8());
    holds(shown.size() <= longest + longestMark + 1, "a line has an end", shown.toUtf8());
    holds(text.size() <= longest || !shown.isEmpty() || text.count(QLatin1Char('\r')) == text.size(),
          "something is shown");
}

void lines(const QString &text)
{
    const QString shown = models::visibleLines(text);
    holds(!fuzz::hasHarmful(shown, QStringLiteral("\n\t")), "what is shown is harmless", shown.toUtf8());
    holds(shown.count(QLatin1Char('\n')) == text.count(QLatin1Char('\n')), "lines stay lines", text.toUtf8());
}

// RFC 4180, as a spreadsheet reads it.
QStringList fieldsOf(const QString &line)
{
    QStringList fields{QString()};
    bool isQuoted = false;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const QChar one = line.at(i);
        const bool isDouble = isQuoted && one == QLatin1Char('"') && line.mid(i + 1, 1) == QLatin1String("\"");
        if (isDouble)
            fields.last() += line.at(++i);
        else if (one == QLatin1Char('"'))
            isQuoted = !isQuoted;
        else if (one == QLatin1Char(',') && !isQuoted)
            fields.append(QString());
        else
            fields.last() += one;
    }
    return fields;
}

// What begins a field in a spreadsheet that separates them by commas, semicolons, tabs or lines.
QStringList beginnings(const QString &field)
{
    QStringList parts(1);
    for (const QChar one : field) {
        parts.last() += one;
        if (QStringView(u";\t\r\n").contains(one))
            parts.append(QString());
    }
    return parts;
}

QString withoutGuards(const QString &field)
{
    QString bare;
    for (QString part : beginnings(field)) {
        if (part.size() > 1 && part.front() == u'\'' && QStringView(u"=+-@;\t\r\n\uFEFF").contains(part.at(1)))
            part.remove(0, 1);
        bare += part;
    }
    return bare;
}

void csv(const QString &text)
{
    const QStringList fields = text.split(QChar(u'\x1e'));
    const QByteArray line = models::csvLine(fields);
    holds(line.endsWith("\r\n"), "a line ends", line);
    const QStringList back = fieldsOf(QString::fromUtf8(line.chopped(2)));
    holds(back.size() == fields.size(), "every field is one", line);
    for (qsizetype i = 0; i < fields.size(); ++i) {
        holds(withoutGuards(back.at(i)) == withoutGuards(fields.at(i)), "a field comes back", line);
        for (const QString &part : beginnings(back.at(i))) {
            const QChar first = part.isEmpty() ? QChar(u' ') : part.front();
            holds(!QStringView(u"=+-@").contains(first), "no field is a formula", line);
        }
    }
}

void body(const QByteArray &bytes)
{
    for (const models::BodyView view : {models::BodyView::Formatted, models::BodyView::AsIs, models::BodyView::Hex}) {
        const models::BodyText shown = models::bodyText(bytes, view);
        holds(!fuzz::hasHarmful(shown.text, QStringLiteral("\n\t")), "what is shown is harmless", shown.text.toUtf8());
        holds(bytes.isEmpty() == (shown.kind == models::BodyKind::Empty), "only what is empty is called so");
        const QStringList all = shown.text.split(QLatin1Char('\n'));
        const auto longest = std::max_element(all.begin(), all.end(),
                                              [](const QString &a, const QString &b) { return a.size() < b.size(); });
        holds(longest->size() <= models::longestBodyLine + 40, "a line has an end");
    }
}

void json(const QByteArray &bytes)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(bytes, &error);
    const QString text = QString::fromUtf8(bytes);
    if (error.error != QJsonParseError::NoError || text.toUtf8() != bytes)
        return;
    const QByteArray indented = records::indentedJson(text).toUtf8();
    const QJsonDocument again = QJsonDocument::fromJson(indented, &error);
    holds(error.error == QJsonParseError::NoError && again == document, "indented it says the same", indented);
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz::Input input(data, size);
    switch (input.mode()) {
    case 'l':
        lineOf(input.text());
        break;
    case 'm':
        lines(input.text());
        break;
    case 'q':
        holds(!fuzz::hasHarmful(models::shortQueueName(input.text())), "what is shown is harmless");
        break;
    case 'c':
        csv(input.text());
        break;
    case 'b':
        body(input.rest());
        break;
    case 'j':
        json(input.rest());
        break;
    default:
        break;
    }
    return 0;
}
