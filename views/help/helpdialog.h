#pragma once

#include <QDialog>

class QListWidget;
class QTextBrowser;

namespace views {

// The help of the window: the topics at the left, one of them at the right. It stays open beside the work. GUI thread.
class HelpDialog final : public QDialog
{
    Q_OBJECT

public:
    explicit HelpDialog(QWidget *parent);

    // An unknown id shows the first topic.
    void showTopic(const QString &id);
    [[nodiscard]] QString topic() const; // the id of the one that is shown

private:
    void showRow(int row);

    QListWidget *m_titles;
    QTextBrowser *m_text;
};

} // namespace views
