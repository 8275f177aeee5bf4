#pragma once

#include "models/edits/editedheaders.h"

#include <QWidget>

class QPushButton;

namespace views {

class DataTable;
class Theme;

// The headers of one message, edited in place: Enter, F2, a double click or a letter edits the cell, Del removes or
// restores a header.
class HeadersTable final : public QWidget
{
    Q_OBJECT

public:
    HeadersTable(models::EditedHeaders &headers, const Theme &theme, QWidget *parent = nullptr);

    void finishTyping(); // commits the text of an open cell
    void focusList();
    [[nodiscard]] int headHeight() const; // of the row above the table, in pixels

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void addHeader();
    void toggleRemoved();
    void startTyping(const QModelIndex &index);
    void refreshButtons();

    models::EditedHeaders &m_headers;
    DataTable *m_table;
    QPushButton *m_add;
    QPushButton *m_remove;
};

} // namespace views
