#pragma once

#include "backend/api/requests/settings.h"
#include "models/session/enginecall.h"

#include <QDialog>

#include <deque>

class QLabel;
class QPushButton;
class QTimer;

namespace views {

class DialogFoot;
class FormGrid;
class DurationField;

// The settings of the store: the retention of resolved and archived messages, and the quiet period of each
// connection. Nothing changes before it is saved, and the dialog shows beforehand how many messages saving would
// delete. GUI thread.
class SettingsDialog final : public QDialog
{
    Q_OBJECT

public:
    explicit SettingsDialog(models::ConsoleSession &session, QWidget *parent = nullptr);

private:
    QWidget *makeBody();
    DialogFoot *makeFoot();
    void addSection(const QString &title, const QString &words);
    void fill(const api::Settings &settings);
    void preview();
    void showDue(const api::Settings &wouldBe);
    void save();
    void sendNext();
    [[nodiscard]] records::RetentionPolicy retention() const;
    [[nodiscard]] std::deque<api::ChangeSettings> changes() const; // one command for each changed setting
    void say(const QString &text, const QString &tone);
    void updateSave();

    models::ConsoleSession &m_session;
    api::Settings m_kept;
    bool m_known = false;
    models::EngineCall m_saving{m_session};
    std::deque<api::ChangeSettings> m_toSend;
    models::EngineCall m_previewing{m_session};
    FormGrid *m_form = nullptr;
    DurationField *m_resolved = nullptr;
    DurationField *m_archived = nullptr;
    QList<std::pair<core::ConnectionId, DurationField *>> m_quiet;
    QLabel *m_answer = nullptr;
    DialogFoot *m_foot = nullptr;
    QPushButton *m_save = nullptr;
    QTimer *m_typing;
};

} // namespace views
