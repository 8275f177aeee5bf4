#pragma once

#include "tests/support/rabbit/rabbitserver.h"

#include <QTest>

#include <map>
#include <memory>

// The RabbitMQ that is installed and those of REDRIVE_RABBITMQ_ROOTS: a row of global data for each, and one server for all
// tests of a row, because a start takes seconds.
class RabbitVersions final
{
public:
    // In initTestCase_data().
    void addRows()
    {
        QTest::addColumn<QString>("root");
        QString none;
        const QStringList roots = support::RabbitServer::otherRoots(&none);
        if (support::RabbitServer::isInstalled())
            QTest::newRow("installed") << QString();
        for (const QString &root : roots)
            QTest::addRow("%s", qPrintable(root.section(QLatin1Char('/'), -2))) << root;
        if (!support::RabbitServer::isInstalled() && roots.isEmpty())
            QTest::newRow("none") << QStringLiteral("-");
    }
    // Null: there is none, or it does not start, as error() says.
    [[nodiscard]] support::RabbitServer *server(const QString &root)
    {
        if (root == QLatin1String("-"))
            return nullptr;
        std::unique_ptr<support::RabbitServer> &server = m_servers[root];
        if (!server) {
            server = std::make_unique<support::RabbitServer>(root);
            if (!server->start()) {
                m_error = server->error();
                server.reset();
            }
        }
        return server.get();
    }
    [[nodiscard]] QString error() const { return m_error; }

private:
    std::map<QString, std::unique_ptr<support::RabbitServer>> m_servers;
    QString m_error = QStringLiteral("rabbitmq-server is not installed");
};
