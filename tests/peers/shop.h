#pragma once

#include "tests/peers/peer.h"

#include <QMap>
#include <QProcess>
#include <QTemporaryDir>

namespace peers {

// A shop on a framework: its worker, and the folder that it shares with the test. Ends with its scope.
class Shop
{
public:
    using Counts = QMap<int, int>; // number of an order, and how often

    Shop(Peer peer, QString address);
    ~Shop();
    Shop(const Shop &) = delete;
    Shop &operator=(const Shop &) = delete;

    // False: it does not start; log() may say why.
    [[nodiscard]] bool open();
    // As its service does it: what is under way is finished.
    void close();
    [[nodiscard]] bool isOpen() const { return m_worker.state() != QProcess::NotRunning; }
    // Orders of these numbers, from `first` on. More arguments are handed to the program.
    [[nodiscard]] bool send(int first, int count, const QStringList &more = {});

    // From now on each try fails; with numbers, those of these orders.
    void breakDown(const QList<int> &orders = {});
    void repair();

    [[nodiscard]] Counts tries() const { return lines("tries"); }
    [[nodiscard]] Counts processed() const { return lines("done"); } // the tries that did not fail
    [[nodiscard]] QByteArray log() const;

private:
    [[nodiscard]] bool start(QProcess &process, const QString &command, const QStringList &more);
    [[nodiscard]] Counts lines(const char *file) const;

    const Peer m_peer;
    const QString m_address;
    QTemporaryDir m_folder;
    QProcess m_worker;
};

} // namespace peers
