#pragma once

#include <QDialog>

class QVBoxLayout;

namespace views {

// Asks what closing the window means while retries run. Each choice explains itself; Escape keeps the window open.
class CloseQuestion final : public QDialog
{
    Q_OBJECT

public:
    enum class Way { Stay, GoOnWithoutWindow, FinishBatches, CloseNow };

    // `situation`: one sentence about the running retries.
    CloseQuestion(const QString &situation, QWidget *parent);

Q_SIGNALS:
    void chosen(views::CloseQuestion::Way way); // at most once; the dialog is rejected for Stay

private:
    void addWay(QVBoxLayout *layout, Way way, const QString &objectName, const QString &text, const QString &meaning);
};

} // namespace views
