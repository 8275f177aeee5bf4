// The edit of an operation in the store, and the messages that it does not fit as the set is frozen.
#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/frozensetstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storeplace.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::Result;
using test::must;
using Do = records::EditStep::Do;

class TestEditStore final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        REDRIVE_SKIP_WITHOUT_DATABASE();
        m_messages.clear();
        m_store = m_place.open(m_random);
        must(m_store->transact([this](store::Session &session) -> Result<> {
            m_connection = must(session.connections().add(test::sampleConnection(QStringLiteral("c"))));
            for (int n = 0; n < 5; ++n)
                m_messages << must(session.messages().insert(test::sampleMessage(m_connection, n)));
            return {};
        }));
    }

    void itIsKeptWithItsOperationAndGoesWithIt()
    {
        records::Edit edit{{{Do::SetHeader, QStringLiteral("a"), {}, 1.0},
                            {Do::SetJson, QStringLiteral("/big"), QStringLiteral("123456789012345678901234567890")},
                            {Do::SetBody, {}, {}, {}, QByteArray("\0\xff", 2)}}};
        edit.steps.first().whereThere = true;
        const core::OperationId id = add(edit);
        const core::OperationId plain = add({});
        must(m_store->read([&](store::Session &session) -> Result<> {
            [&] {
                QVERIFY(must(session.retryOperations().load(id)).plan.edit == edit);
                QVERIFY(must(session.retryOperations().load(plain)).plan.edit.isEmpty());
                for (const records::RetryOperation &one : must(session.retryOperations().listed({}, 10)))
                    QVERIFY(one.plan.edit.isEmpty()); // lists have its sentence
            }();
            return {};
        }));
        must(m_store->transact([&](store::Session &session) -> Result<> {
            const bool gone = must(session.frozenSets().discard(id, 10));
            return gone ? Result<>() : core::fail(core::ErrorKind::Conflict, {});
        }));
    }

    void aConnectionIsRemovedWithItsEdits()
    {
        const core::OperationId id = add({{{Do::RemoveHeader, QStringLiteral("a")}}});
        must(m_store->transact([&](store::Session &session) -> Result<> {
            records::RetryOperation ended = must(session.retryOperations().load(id));
            ended.state = records::OperationState::Cancelled;
            ended.finished = core::fromMs(1);
            must(session.retryOperations().update(ended));
            // Nothing keeps the connection. (Kept counts follow with the commit.)
            const Result<int> released = session.messages().setStatus(m_messages, {records::MessageStatus::Unresolved},
                                                                      records::MessageStatus::Released);
            return released ? Result<>() : core::fail(released.error());
        }));
        must(m_store->transact([&](store::Session &session) { return session.connections().remove(m_connection); }));
    }

    void whatItDoesNotFitIsLeftOutAndCounted()
    {
        must(m_store->transact([this](store::Session &session) -> Result<> {
            store::FreezeRules rules;
            rules.asOfChange = must(session.changeNumber());
            rules.misfits = {m_messages.at(1), m_messages.at(3)};
            rules.limit = 2;
            const store::FreezeTally evaluated = must(session.frozenSets().evaluate(m_messages, rules, 0));
            records::RetryOperation operation;
            operation.connection = m_connection;
            const core::OperationId id = must(session.retryOperations().add(operation));
            const store::FreezeTally frozen = must(session.frozenSets().freeze(id, m_messages, rules));
            const QList<store::RetryMember> members = must(session.retryBatches().members(id, {}, -1, 10));
            [&] {
                QVERIFY(evaluated == frozen);
                QCOMPARE(frozen.leftOut[records::LeftOut::EditMisfit], 2);
                QCOMPARE(frozen.frozen, 2);
                QCOMPARE(frozen.leftOut[records::LeftOut::BeyondLimit], 1); // the misfits take no room
                QCOMPARE(members.size(), 2);
                QCOMPARE(members.at(0).message, m_messages.at(0));
                QCOMPARE(members.at(1).message, m_messages.at(2));
            }();
            rules.asOfChange = 0; // another reason counts first
            const store::FreezeTally later = must(session.frozenSets().evaluate(m_messages, rules, 0));
            [&] { QCOMPARE(later.leftOut[records::LeftOut::EditMisfit], 0); }();
            return {};
        }));
    }

private:
    core::OperationId add(const records::Edit &edit)
    {
        core::OperationId id;
        must(m_store->transact([&](store::Session &session) -> Result<> {
            records::RetryOperation operation;
            operation.connection = m_connection;
            operation.plan.edit = edit;
            id = must(session.retryOperations().add(operation));
            return {};
        }));
        return id;
    }

    core::SeededRandom m_random{6};
    support::StorePlace m_place;
    std::unique_ptr<store::DatabaseStore> m_store;
    core::ConnectionId m_connection;
    QList<core::MessageId> m_messages;
};

REDRIVE_TEST(TestEditStore)
#include "tst_editstore.moc"
