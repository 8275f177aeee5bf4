#pragma once

#include "models/messages/othermatches.h"

#include <QWidget>

class QHBoxLayout;

namespace views {

// Above the list while a search is in force: its matches under other statuses, each with a button that leads there, and how
// headers and bodies are searched. Hidden otherwise.
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
