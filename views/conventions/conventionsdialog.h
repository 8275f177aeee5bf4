#pragma once

#include "models/conventions/conventionsmodel.h"
#include "models/session/consolesession.h"
#include "views/common/lists/listdialog.h"

namespace views {

// The conventions of the store: add, edit, export, import and remove them. GUI thread.
class ConventionsDialog final : public ListDialog
{
    Q_OBJECT

public:
    ConventionsDialog(models::ConsoleSession &session, const Theme &theme, models::TimeZone zone,
                      QWidget *parent = nullptr);

private:
    void read();
    void refresh();
    void openEditor(const QByteArray &file, bool isNew);
    void exportChosen();
    void importFile();
    void askToRemove();
    void remove(const QString &name);
    [[nodiscard]] const api::ConventionView *chosen() const;

    models::ConsoleSession &m_session;
    const Theme &m_theme;
    models::ConventionsModel m_model;
    bool m_hasRead = false;
    QString m_error;
    QPushButton *m_new;
    QPushButton *m_edit;
    QPushButton *m_export;
    QPushButton *m_import;
    QPushButton *m_remove;
};

} // namespace views
