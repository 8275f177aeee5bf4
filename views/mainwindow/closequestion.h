#pragma once

#include <QDialog>

class QVBoxLayout;

namespace views {

// Asked when the window is closed while retries run. Each way out says what it means; Escape stays.
class CloseQuestion final : public QDialog
{
    Q_OBJECT

public:
    enum class Way { Stay, GoOnWithoutWindow, FinishBatches, CloseNow };

    // `situation`: what runs, in one sentence.
    CloseQuestion(const QString &situation, QWidget *parent);

Q_SIGNALS:
    void chosen(views::CloseQuestion::Way way); // once; Stay is a rejected dialog

private:
    void addWay(QVBoxLayout *layout, Way way, const QString &objectName, const QString &text, const QString &meaning);
};

} // namespace views
