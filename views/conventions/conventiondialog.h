#pragma once

#include "backend/api/requests/queries.h"
#include "models/conventions/conventionlines.h"
#include "models/conventions/conventiontrials.h"
#include "models/session/longwork.h"

#include <QDialog>

#include <memory>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QTabBar;

namespace views {

class DataTable;
class DialogFoot;
class PlacePicker;
class Theme;

// Adds or edits a convention of one's own: a person points at fields of a message, or edits the JSON of the file. While
// one works, it shows on real messages what the convention does. Saving asks in place whether to apply it to the
// messages that are there. GUI thread.
class ConventionDialog final : public QDialog
{
    Q_OBJECT

public:
    // `isNew`: no convention of this name is replaced. `message`: the one whose fields are shown; nothing: the first
    // message that the convention is for.
    ConventionDialog(models::ConsoleSession &session, const Theme &theme, const records::Convention &convention,
                     bool isNew, const std::optional<api::MessageDetail> &message, QWidget *parent = nullptr);

    void choosePlace(const records::MessagePlace &place);
    [[nodiscard]] core::Result<records::Convention> convention() const; // as it is now, or what is wrong with it
    void showFile(const QByteArray &file); // as JSON
    // While messages are read again, the first time cancels that, and the dialog stays for the answer.
    void reject() override;

Q_SIGNALS:
    void saved();

private:
    QWidget *makeHead();
    QWidget *makeLeft(const Theme &theme);
    QWidget *makeRight(const Theme &theme);
    QWidget *makeRules(const Theme &theme);
    DialogFoot *makeFoot();
    void setConvention(const records::Convention &convention);
    void removeChosen();
    void changeChosen();
    void tabChosen(int tab);
    void update();
    void updateButtons();
    void readFirst();
    void save();
    void afterSave(const records::Convention &convention);
    void apply();
    void tell(const QString &text, const QString &tone);

    models::ConsoleSession &m_session;
    records::Convention m_convention;
    bool m_isNew;
    models::ConventionTrials m_trials;
    models::ConventionLines m_lines;
    QLineEdit *m_name = nullptr;
    QLineEdit *m_note = nullptr;
    PlacePicker *m_places = nullptr;
    QTabBar *m_tabs = nullptr;
    QStackedWidget *m_stack = nullptr;
    DataTable *m_table = nullptr;
    QPushButton *m_change = nullptr;
    QPushButton *m_remove = nullptr;
    QPlainTextEdit *m_json = nullptr;
    QLabel *m_answer = nullptr;
    QPushButton *m_apply = nullptr;
    QPushButton *m_close = nullptr;
    QPushButton *m_save = nullptr;
    records::MessageFilter m_there; // of the saved convention: what Apply acts on
    bool m_hasMessage;
    models::EngineCall m_writing{m_session}; // saves or applies
    std::unique_ptr<models::LongWork> m_applying; // null: it does not
};

} // namespace views
