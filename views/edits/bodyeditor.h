#pragma once

#include <QPlainTextEdit>

namespace views {

// Edits the text of a body. Invisible characters, pasted ones too, are shown as visible codes
// (models/edits/editabletext.h).
class BodyEditor final : public QPlainTextEdit
{
    Q_OBJECT

public:
    explicit BodyEditor(QWidget *parent = nullptr);

    // The text as typed. toPlainText() would turn no-break spaces into plain ones.
    [[nodiscard]] QString text() const;

protected:
    void insertFromMimeData(const QMimeData *source) override;
};

} // namespace views
