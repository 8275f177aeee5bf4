// Pipelines in the store: added, listed and removed, and what becomes of them when their connection goes.
#include "backend/store/connectionstore.h"
#include "backend/store/pipelinestore.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storeplace.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using core::Result;
using records::Pipeline;
using test::must;

namespace {

Pipeline sample(const char *name)
{
    Pipeline pipeline;
    pipeline.name = QString::fromLatin1(name);
    pipeline.url = QStringLiteral("postgresql://redrive@db.example/reports");
    pipeline.rights = records::Right::See;
    pipeline.columns = R"({"task": {"table": "tasks"}})";
    return pipeline;
}

} // namespace

class TestPipelineStore final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        REDRIVE_SKIP_WITHOUT_DATABASE();
        core::SeededRandom random(1);
        m_store = m_place.open(random);
    }

    void aPipelineIsKeptAsItIs()
    {
        Pipeline pipeline = sample("reports");
        pipeline.id = add(pipeline);
        QCOMPARE(all(), QList{pipeline});
    }

    void aNameIsTakenOnce()
    {
        add(sample("reports"));
        const Result<> again = m_store->transact([](store::Session &session) -> Result<> {
            return session.pipelines().add(sample("reports")).map([](core::PipelineId) {});
        });
        QVERIFY(again.error().kind == ErrorKind::Conflict);
        QVERIFY(again.error().message.contains(QStringLiteral("reports")));
        QCOMPARE(all().size(), 1);
    }

    void anIdNeverNamesAnotherPipeline()
    {
        const core::PipelineId id = add(sample("reports"));
        const auto remove = [id](store::Session &session) { return session.pipelines().remove(id); };
        must(m_store->transact(remove));
        QVERIFY(add(sample("reports")) != id);
        QVERIFY(m_store->transact(remove).error().kind == ErrorKind::NotFound);
    }

    void aRemovedConnectionLeavesThePipeline()
    {
        Pipeline pipeline = sample("reports");
        must(m_store->transact([&](store::Session &session) -> Result<> {
            pipeline.connection = must(session.connections().add(test::sampleConnection(QStringLiteral("shop"))));
            pipeline.id = must(session.pipelines().add(pipeline));
            return {};
        }));
        QCOMPARE(all(), QList{pipeline});
        must(m_store->transact(
            [&](store::Session &session) { return session.connections().remove(pipeline.connection); }));
        pipeline.connection = {};
        QCOMPARE(all(), QList{pipeline});
    }

private:
    core::PipelineId add(const Pipeline &pipeline)
    {
        return must(m_store->transact<core::PipelineId>(
            [&](store::Session &session) { return session.pipelines().add(pipeline); }));
    }
    QList<Pipeline> all()
    {
        return must(m_store->read<QList<Pipeline>>([](store::Session &session) { return session.pipelines().all(); }));
    }

    support::StorePlace m_place;
    std::unique_ptr<store::DatabaseStore> m_store;
};

REDRIVE_TEST(TestPipelineStore)
#include "tst_pipelinestore.moc"
