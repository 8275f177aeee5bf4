#include "models/detail/bodytext.h"

#include "backend/records/editing/jsonlines.h"
#include "models/common/text.h"
#include "models/common/visibletext.h"

#include <QJsonDocument>
#include <QStringDecoder>
#include <QXmlStreamReader>
#include <QXmlStreamWriter>

namespace models {

namespace {

bool isJson(const QByteArray &body)
{
    const QByteArray trimmed = body.trimmed();
    if (!trimmed.startsWith('{') && !trimmed.startsWith('['))
        return false;
    QJsonParseError error;
    QJsonDocument::fromJson(trimmed, &error);
    return error.error == QJsonParseError::NoError;
}

QString indentedXml(const QString &xml)
{
    QString out;
    QXmlStreamReader reader(xml);
    QXmlStreamWriter writer(&out);
    writer.setAutoFormatting(true);
    while (!reader.atEnd()) {
        reader.readNext();
        if (reader.hasError())
            return {};
        if (!reader.isWhitespace() && reader.tokenType() != QXmlStreamReader::DTD)
            writer.writeCurrentToken(reader);
    }
    return out.trimmed();
}

QString cut(const QString &text, int &cutLines)
{
    QString out;
    out.reserve(text.size());
    for (const QStringView line : QStringView(text).split(QLatin1Char('\n'))) {
        if (!out.isEmpty())
            out += QLatin1Char('\n');
        if (line.size() <= longestBodyLine) {
            out += line;
            continue;
        }
        ++cutLines;
        out += line.left(longestBodyLine);
        out += Text::tr(" … (%1 more characters)").arg(line.size() - longestBodyLine);
    }
    return out;
}

BodyText textBody(const QString &text, const QByteArray &body, BodyView view)
{
    BodyText result;
    const bool json = isJson(body);
    const bool xml = !json && body.trimmed().startsWith('<');
    result.kind = json ? BodyKind::Json : BodyKind::Text;
    QString shown = text;
    if (view == BodyView::Formatted && (json || xml)) {
        const QString indented = json ? records::indentedJson(text) : indentedXml(text);
        if (!indented.isEmpty()) {
            result.kind = json ? BodyKind::Json : BodyKind::Xml;
            result.isFormatted = true;
            shown = indented;
        }
    }
    result.text = cut(visibleLines(shown), result.cutLines);
    return result;
}

} // namespace

QString textOf(BodyKind kind)
{
    switch (kind) {
    case BodyKind::Empty:
        return Text::tr("empty");
    case BodyKind::Json:
        return QStringLiteral("JSON");
    case BodyKind::Xml:
        return QStringLiteral("XML");
    case BodyKind::Text:
        return Text::tr("text");
    case BodyKind::Binary:
        return Text::tr("binary");
    }
    Q_UNREACHABLE();
}

BodyText plainLines(const QString &text)
{
    BodyText result;
    result.kind = BodyKind::Text;
    result.text = cut(visibleLines(text), result.cutLines);
    return result;
}

BodyText bodyText(const QByteArray &body, BodyView view)
{
    if (body.isEmpty())
        return {};
    QStringDecoder utf8(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = utf8(body);
    const bool binary = utf8.hasError() || body.contains('\0');
    if (binary || view == BodyView::Hex)
        return {binary ? BodyKind::Binary : BodyKind::Text, hexDump(body), false, 0};
    return textBody(text, body, view);
}

QString hexDump(const QByteArray &body)
{
    constexpr int perLine = 16;
    QString out;
    out.reserve(body.size() * 5);
    for (qsizetype at = 0; at < body.size(); at += perLine) {
        const QByteArray line = body.mid(at, perLine);
        QString ascii;
        for (const char c : line)
            ascii += c >= 0x20 && c < 0x7f ? QLatin1Char(c) : QLatin1Char('.');
        if (at > 0)
            out += QLatin1Char('\n');
        out += QStringLiteral("%1  ").arg(at, 8, 16, QLatin1Char('0'));
        out += QString::fromLatin1(line.toHex(' ')).leftJustified(perLine * 3 - 1);
        out += QStringLiteral("  ") + ascii;
    }
    return out;
}

} // namespace models
