#pragma once

#include "backend/control/holderclient.h"
#include "backend/store/shared/controltables.h"

namespace control {

class Asker;
class ControlLine;

// The client of the holder of a shared store, in another process, perhaps on another machine: commands are rows of the control
// tables (store/shared/controltables.h). All of that happens on a thread of its own, so no call waits for the database.
//
// The holder is lost when its lease has expired by the clock of the database. Every command that no holder took is taken back
// first, and is then for takeUnheard(); one that a holder took ends with "may or may not be done". When another process
// holds the lease by then, nothing is lost: it carries out what the other one has not taken. While the database does not
// answer, nobody is lost either (but for limitSilence()): the newest snapshot comes again and says so. An error of the
// database that does not pass by itself (password, rights, no store) is a danger().
class SharedClient final : public HolderClient
{
    Q_OBJECT

public:
    // Connects at once, with a connection that `open` makes. `who`: the person in the holder's activity log for every
    // command of this client, beside the role with which it is connected.
    SharedClient(store::OpenControlTables open, engine::QueriesPtr queries, QString who = {},
                 QObject *parent = nullptr);
    // Commands that no holder has taken are taken back, as far as the database still answers. Does not wait for that.
    ~SharedClient() override;

    [[nodiscard]] bool mayAsk() const override { return m_mayAsk; }
    // The role of this connection to the database; empty: not connected yet.
    [[nodiscard]] QString role() const { return m_role; }

private:
    friend class Asker;
    void carry(qint64 number, const api::PendingRequest &command) override;
    void askForSnapshots() override;
    void ping() override;
    void disconnectLine() override;

    // What the line reports.
    void connected(const QString &role, bool mayAsk);
    void sees(const store::HolderState &holder);
    void shows(const std::shared_ptr<api::Snapshot> &snapshot);
    void isCutOff(const core::Error &error);
    void endangered(const core::Error &danger);
    void isGoneWith(const QList<qint64> &taken);

    QString m_role;
    bool m_mayAsk = true;
    QString m_holder; // a sentence
    QString m_reason; // of a danger
    bool m_cutOff = false; // from the database
    qint64 m_lastCarried = 0;
    QByteArray m_key; // of the holder, for secrets
    api::SnapshotPtr m_newest; // as it came
    std::shared_ptr<Asker> m_asker;
    std::unique_ptr<ControlLine> m_line;
};

} // namespace control
