#include "views/common/widgets/plaintext.h"

namespace views {

namespace {

constexpr QLatin1StringView tipBegin("<div style=\"white-space: pre-wrap\">");
constexpr QLatin1StringView tipEnd("</div>");

} // namespace

PlainLabel::PlainLabel(const QString &text, QWidget *parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setText(text);
}

QString plainToolTip(const QString &text)
{
    if (text.isEmpty())
        return {};
    return QString(tipBegin) + text.toHtmlEscaped() + QString(tipEnd);
}

QString wordsOfToolTip(const QString &tip)
{
    if (!tip.startsWith(tipBegin) || !tip.endsWith(tipEnd))
        return tip;
    QString words = tip.mid(tipBegin.size(), tip.size() - tipBegin.size() - tipEnd.size());
    words.replace(QLatin1String("&lt;"), QLatin1String("<")).replace(QLatin1String("&gt;"), QLatin1String(">"));
    words.replace(QLatin1String("&quot;"), QLatin1String("\"")).replace(QLatin1String("&amp;"), QLatin1String("&"));
    return words;
}

QString withoutMnemonics(QString text)
{
    return text.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

} // namespace views

#include "moc_plaintext.cpp"
