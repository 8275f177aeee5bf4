#pragma once

#include <QDialog>

class QPushButton;

namespace views {

class DataTable;
class ListOrState;
class PlainLabel;
class Theme;

// A list in a window of its own: what it is about in one sentence, the list or why there is none, and in the foot a summary,
// the buttons that were added, and Close.
class ListDialog : public QDialog
{
    Q_OBJECT

Q_SIGNALS:
    void wantedAgain(); // what could not be read

protected:
    // Object names begin with `name`: nameDialog, nameTable, nameSummary, nameClose.
    ListDialog(const Theme &theme, const QString &name, const QString &words, QWidget *parent);

    [[nodiscard]] DataTable &table() { return *m_table; }
    [[nodiscard]] const DataTable &table() const { return *m_table; }
    QPushButton *addFootButton(const QString &objectName, const QString &text = {}); // left of Close
    // The list; where it has no row: the error, that it is being read, or these words.
    void showRows(bool loaded, const QString &error, const QString &emptyTitle, const QString &emptySentence);
    void setSummary(const QString &text);

private:
    QWidget *makeBody(const QString &words);
    QWidget *makeFoot();

    QString m_name;
    DataTable *m_table;
    ListOrState *m_list = nullptr;
    PlainLabel *m_summary = nullptr;
    QPushButton *m_close = nullptr;
};

} // namespace views
