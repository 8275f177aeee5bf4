#pragma once

#include <QPlainTextEdit>

namespace views {

// Edits the text of a body. What nobody sees is written as what it is (models/edits/editabletext.h), also in what is pasted.
class BodyEditor final : public QPlainTextEdit
{
    Q_OBJECT

public:
    explicit BodyEditor(QWidget *parent = nullptr);

    // toPlainText() makes spaces of hard ones.
    [[nodiscard]] QString text() const;

protected:
    void insertFromMimeData(const QMimeData *source) override;
};

} // namespace views
