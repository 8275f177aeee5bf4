#pragma once

#include <QObject>
#include <QPointer>

namespace views {

class HelpDialog;

// F1 in any window of the program: opens the help about the page, pane or dialog that has the keyboard. GUI thread.
class HelpKey final : public QObject
{
    Q_OBJECT

public:
    explicit HelpKey(QObject *parent);

    // The id of the topic about this widget: that of the nearest page, pane or dialog around it, else that of the window.
    [[nodiscard]] static QString topicOf(const QWidget *widget);

    void openFor(QWidget *widget); // nullptr: the window
    void open(const QString &topic, QWidget *window);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QPointer<HelpDialog> m_dialog;
};

} // namespace views
