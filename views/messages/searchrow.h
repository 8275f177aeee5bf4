#pragma once

#include "models/messages/othermatches.h"

#include <QWidget>

class QHBoxLayout;

namespace views {

// A row above the list during a search: one button for each other status with matches, and the rule for headers and
// bodies. Hidden when there is no search. GUI thread.
class SearchRow final : public QWidget
{
    Q_OBJECT

public:
    explicit SearchRow(const models::OtherMatches &other, QWidget *parent = nullptr);

Q_SIGNALS:
    void statusChosen(records::MessageStatus status);

private:
    void showFound();
    void addButton(const api::StatusCount &match);

    const models::OtherMatches &m_other;
    QWidget *m_buttons;
    QHBoxLayout *m_layout; // of m_buttons
};

} // namespace views
