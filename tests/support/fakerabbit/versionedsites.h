#pragma once

#include "tests/support/fakerabbit/fakesite.h"
#include "tests/support/rabbit/rabbitserver.h"

#include <QTest>

#include <map>

namespace support {

// For tests of what differs between versions: a global row for each RabbitMQ in memory and one for the server, which is started
// once. Further runs of CTest leave those in memory out.
class VersionedSites final
{
public:
    // In initTestCase_data.
    static void addRows(std::initializer_list<const char *> versions)
    {
        QTest::addColumn<QString>("fake"); // its version; empty: the server
        if (!RabbitServer::isFurtherRun()) {
            for (const char *version : versions)
                QTest::addRow("fake %s", version) << QString::fromLatin1(version);
        }
        QTest::newRow("real") << QString();
    }
    // In initTestCase. A further run has only the server: without it, CTest must see that all is skipped.
    static void skipWithoutServer()
    {
        if (!RabbitServer::isFurtherRun())
            return;
        if (const QString missing = RabbitServer::missing(); !missing.isEmpty())
            QSKIP(qPrintable(missing));
    }
    // In init. Null: there is no server, or it does not start; the test was skipped or has failed.
    [[nodiscard]] RabbitSite *site(bool withShovel = true)
    {
        QFETCH_GLOBAL(QString, fake);
        std::unique_ptr<RabbitSite> &site = m_sites[fake];
        if (!site)
            site = fake.isEmpty() ? newServer(withShovel) : newFake(fake, withShovel);
        return site.get();
    }

private:
    [[nodiscard]] static std::unique_ptr<RabbitSite> newFake(const QString &version, bool withShovel)
    {
        auto made = std::make_unique<FakeSite>();
        made->rabbit().api().setVersion(version);
        made->rabbit().api().setShovelPlugin(withShovel);
        return made;
    }
    [[nodiscard]] static std::unique_ptr<RabbitSite> newServer(bool withShovel)
    {
        if (const QString missing = RabbitServer::missing(); !missing.isEmpty()) {
            QTest::qSkip(qPrintable(missing), __FILE__, __LINE__);
            return {};
        }
        auto made = std::make_unique<RabbitServer>();
        made->enableShovel(withShovel);
        if (made->start())
            return made;
        QTest::qFail(qPrintable(made->error()), __FILE__, __LINE__);
        return {};
    }

    std::map<QString, std::unique_ptr<RabbitSite>> m_sites; // one for all tests: a server takes seconds to start
};

} // namespace support
