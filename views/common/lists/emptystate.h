#pragma once

#include "views/common/widgets/plaintext.h"

#include <QStackedWidget>

class QPushButton;

namespace views {

// Shows a list, or in its place why it is empty: nothing yet, no match, loading or an error. GUI thread.
class ListOrState final : public QStackedWidget
{
    Q_OBJECT

public:
    explicit ListOrState(QWidget *list, QWidget *parent = nullptr);

    void showList();
    // `action`: the text of the button; empty: no button.
    void showState(const QString &title, const QString &sentence, const QString &action = {});
    void focusContent(); // focuses the list or this widget, never the button
    void setProminent(bool prominent); // draws the button as the primary one of the window
    // Only what is shown needs room: the state that may come is smaller than a list or can wait for its room.
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override;
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] bool showsList() const { return currentIndex() == 0; }

Q_SIGNALS:
    void actionRequested();

private:
    PlainLabel *m_title;
    PlainLabel *m_sentence;
    QPushButton *m_action;
};

} // namespace views
