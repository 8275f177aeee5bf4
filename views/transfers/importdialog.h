#pragma once

#include "backend/transfer/importer.h"
#include "views/common/page.h"

#include <QDialog>

class QComboBox;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace views {

class DialogFoot;

// Imports a file of messages. It reads the file first and says what is in it, for which connections, and how many of the
// messages are in the store already; or what is wrong with it, line by line. Closing it ends an import after the page that
// is under way. GUI thread.
class ImportDialog final : public QDialog
{
    Q_OBJECT

public:
    // Opens a file dialog and returns at once.
    static void ask(const Console &console, QWidget *parent);

    ImportDialog(const Console &console, const QString &path, QWidget *parent = nullptr);

    void reject() override;

private:
    QWidget *makeHead();
    QWidget *makeBody();
    DialogFoot *makeFoot();
    void takeCheck(const core::Result<transfer::FileCheck> &check);
    void fillConnections();
    void showFaults();
    void count(); // what an import would do
    void takeCount(const core::Result<transfer::ImportTotals> &totals);
    void begin();
    void takeResult(const core::Result<transfer::ImportTotals> &totals);
    void say(const QString &text, bool isBad = false);
    [[nodiscard]] core::Result<transfer::ImportRoutes> routes() const;
    [[nodiscard]] QString contentText() const;

    models::ConsoleSession &m_session;
    const QString m_path;
    std::unique_ptr<transfer::Importer> m_importer;
    transfer::FileCheck m_check;
    bool m_isImporting = false;
    PlainLabel *m_content = nullptr;
    PlainLabel *m_answer = nullptr;
    QComboBox *m_connections = nullptr;
    QPlainTextEdit *m_faults = nullptr;
    QProgressBar *m_progress = nullptr;
    QPushButton *m_cancel = nullptr;
    QPushButton *m_import = nullptr;
};

} // namespace views
