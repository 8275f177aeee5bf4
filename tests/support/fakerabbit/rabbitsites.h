#pragma once

#include "tests/support/fakerabbit/fakesite.h"
#include "tests/support/rabbit/rabbitserver.h"

#include <QTest>

namespace support {

// For tests that run on both kinds of RabbitMQ: a global row for each, one server for all tests. In a further run of CTest, for
// another server or another type of queue, the one in memory is left out.
class RabbitSites final
{
public:
    // In initTestCase_data.
    static void addRows()
    {
        QTest::addColumn<bool>("real");
        if (!RabbitServer::isFurtherRun())
            QTest::newRow("fake") << false;
        if (RabbitServer::isFurtherRun() || RabbitServer::missing().isEmpty())
            QTest::newRow("real") << true;
    }
    // In initTestCase.
    void start()
    {
        const QString missing = RabbitServer::missing();
        if (!missing.isEmpty() && RabbitServer::isFurtherRun())
            QSKIP(qPrintable(missing));
        if (!missing.isEmpty())
            return;
        m_server = std::make_unique<RabbitServer>();
        QVERIFY2(m_server->start(), qPrintable(m_server->error()));
    }
    // In init and in tests.
    [[nodiscard]] RabbitSite &site()
    {
        QFETCH_GLOBAL(bool, real);
        return real ? static_cast<RabbitSite &>(*m_server) : m_fake;
    }
    [[nodiscard]] RabbitServer &server() { return *m_server; }
    [[nodiscard]] FakeSite &fake() { return m_fake; }

private:
    std::unique_ptr<RabbitServer> m_server;
    FakeSite m_fake;
};

} // namespace support
