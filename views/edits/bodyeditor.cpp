#include "views/edits/bodyeditor.h"

#include "models/edits/editabletext.h"
#include "views/common/theme/theme.h"

#include <QMimeData>

namespace views {

BodyEditor::BodyEditor(QWidget *parent)
    : QPlainTextEdit(parent)
{
    setObjectName(QStringLiteral("editBody"));
    setAccessibleName(tr("Body"));
    setFont(Theme::monoFont());
    setTabChangesFocus(true); // so that the keyboard can leave the editor
    document()->setDocumentMargin(8);
}

QString BodyEditor::text() const
{
    return document()->toRawText().replace(QChar::ParagraphSeparator, QLatin1Char('\n'));
}

void BodyEditor::insertFromMimeData(const QMimeData *source)
{
    QString text = source->text();
    text.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
    QMimeData visible;
    visible.setText(models::editableLines(models::fromEditable(text)));
    QPlainTextEdit::insertFromMimeData(&visible);
}

} // namespace views

#include "moc_bodyeditor.cpp"
