#pragma once

#include "views/common/plaintext.h"

#include <QStackedWidget>

class QPushButton;

namespace views {

// A list, or in its place the words for why there is none: nothing yet, nothing here, loading, failed.
class ListOrState final : public QStackedWidget
{
    Q_OBJECT

public:
    explicit ListOrState(QWidget *list, QWidget *parent = nullptr);

    void showList();
    // `action`: the text of the one button; empty: none.
    void showState(const QString &title, const QString &sentence, const QString &action = {});
    void focusContent(); // the list, or this in its place: the keys never go to a button that was not chosen
    void setProminent(bool prominent); // its action is the thing to do in this window
    [[nodiscard]] bool showsList() const { return currentIndex() == 0; }

Q_SIGNALS:
    void actionRequested();

private:
    PlainLabel *m_title;
    PlainLabel *m_sentence;
    QPushButton *m_action;
};

} // namespace views
