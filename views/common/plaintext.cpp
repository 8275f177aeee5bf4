#include "views/common/plaintext.h"

namespace views {

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
    return QStringLiteral("<div style=\"white-space: pre-wrap\">%1</div>").arg(text.toHtmlEscaped());
}

QString withoutMnemonics(QString text)
{
    return text.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

} // namespace views
