#pragma once

#include <QDialog>

class QLineEdit;

namespace views {

// Asks for the value of one line of a convention. Deletes itself when it is closed. GUI thread.
class ValueQuestion final : public QDialog
{
    Q_OBJECT

public:
    ValueQuestion(const QString &title, const QString &value, QWidget *parent);

    [[nodiscard]] QString value() const;

private:
    QLineEdit *m_line;
};

} // namespace views
