#pragma once

#include <QDialog>

class QPushButton;

namespace views {

class DataTable;
class DialogFoot;
class ListOrState;
class PlainLabel;
class Theme;

// A dialog with a list: a sentence about it, the list or why it is empty, and at the bottom a summary, added buttons
// and Close. GUI thread.
class ListDialog : public QDialog
{
    Q_OBJECT

Q_SIGNALS:
    void wantedAgain(); // the user wants to load the list again after an error

protected:
    // `name` is the prefix of the object names: nameDialog, nameTable, nameSummary, nameClose.
    ListDialog(const Theme &theme, const QString &name, const QString &words, QWidget *parent);

    [[nodiscard]] DataTable &table() { return *m_table; }
    [[nodiscard]] const DataTable &table() const { return *m_table; }
    QPushButton *addFootButton(const QString &objectName, const QString &text = {}); // left of Close
    // Shows the list. Without rows: the error, else that it is loading, else the texts for an empty list.
    void showRows(bool loaded, const QString &error, const QString &emptyTitle, const QString &emptySentence);
    void setSummary(const QString &text);

private:
    QWidget *makeBody(const QString &words);
    DialogFoot *makeFoot();

    QString m_name;
    DataTable *m_table;
    ListOrState *m_list = nullptr;
    DialogFoot *m_foot = nullptr;
    PlainLabel *m_summary = nullptr;
};

} // namespace views
