// Notes and mutes of groups in the list of groups.
#include "models/groups/groupmarktext.h"
#include "models/groups/groupsfeed.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"

#include <QDateTime>
#include <QSignalSpy>
#include <QTest>

using models::GroupsModel;
using models::Tone;

namespace {

constexpr core::TimePoint noon = core::fromMs(1'790'000'000'000);
constexpr core::Milliseconds hour = std::chrono::hours(1);

records::FailedMessage failed(qint64 id, const QString &exception)
{
    records::FailedMessage one;
    one.id = core::MessageId{id};
    one.connection = core::ConnectionId{1};
    one.queue = QStringLiteral("error");
    one.failure.exceptionType = exception;
    one.firstFailed = core::fromMs(1000 * id);
    one.lastFailed = core::fromMs(2000 * id);
    return one;
}

core::TimePoint clockNow()
{
    return core::fromMs(QDateTime::currentMSecsSinceEpoch());
}

} // namespace

class TestGroupMarkRows final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_feed.reset();
        m_session.reset();
        m_client = std::make_unique<support::FakeClient>();
        m_client->snapshot.at = noon;
        m_client->store = {failed(1, QStringLiteral("A")), failed(2, QStringLiteral("A")),
                           failed(3, QStringLiteral("B"))};
        m_session = std::make_unique<models::ConsoleSession>(*m_client);
        m_filter = std::make_unique<models::ConsoleFilter>();
        m_feed = std::make_unique<models::GroupsFeed>(*m_session, *m_filter);
        m_a = m_client->groupOf(m_client->store.at(0), records::Classifier::ExceptionAndStack);
        m_b = m_client->groupOf(m_client->store.at(2), records::Classifier::ExceptionAndStack);
    }

    void cleanup()
    {
        m_feed.reset();
        m_session.reset();
    }

    void aNoteIsMarkedAndReadInTheTip()
    {
        m_client->groupMarks[m_a].note =
            records::GroupNote{QStringLiteral("Known bug\nsee BILL-12"), QStringLiteral("ann"), noon};
        load();
        QVERIFY(cell(m_a, GroupsModel::Cause).toString().startsWith(QChar(0x270e)));
        QVERIFY(!cell(m_b, GroupsModel::Cause).toString().contains(QChar(0x270e)));
        QVERIFY(
            cell(m_a, GroupsModel::Cause, Qt::AccessibleTextRole).toString().endsWith(QStringLiteral("has a note")));
        const QString tip = cell(m_a, GroupsModel::Cause, Qt::ToolTipRole).toString();
        for (const char *part : {"Note by ann", "Known bug\n", "see BILL-12"})
            QVERIFY2(tip.contains(QLatin1String(part)), qPrintable(tip));
    }

    void aMutedGroupIsDimmedAndComesLastInEveryOrder()
    {
        m_client->groupMarks[m_a].mute = records::GroupMute{noon + hour, QStringLiteral("ann"), noon, 2, false};
        load();
        QCOMPARE(m_feed->rows().last().row.id, m_a);
        for (const int column : {GroupsModel::Cause, GroupsModel::Messages, GroupsModel::State})
            QCOMPARE(cell(m_a, column, models::ToneRole).toInt(), int(Tone::Muted));
        QCOMPARE(cell(m_b, GroupsModel::Cause, models::ToneRole).toInt(), int(Tone::Normal));
        QVERIFY(cell(m_a, GroupsModel::State).toString().startsWith(QStringLiteral("Muted until ")));
        const QString tip = cell(m_a, GroupsModel::State, Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(QStringLiteral(" by ann")), qPrintable(tip));
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            m_feed->sortBy(GroupsModel::Messages, order);
            QCOMPARE(m_feed->rows().last().row.id, m_a);
        }
        QCOMPARE(m_feed->totalMessages(), 3); // muted messages still count
    }

    // The shorter list of failures has more of them in the last hour.
    void theLastHourIsSortedByItsFailures()
    {
        m_client->sparklines.insert(QStringLiteral("A"), {0, 1});
        m_client->sparklines.insert(QStringLiteral("B"), {4, 4});
        load();
        QCOMPARE(m_feed->rows().first().row.id, m_a); // most messages
        m_feed->sortBy(GroupsModel::LastHour, Qt::DescendingOrder);
        QCOMPARE(m_feed->rows().first().row.id, m_b);
        QVERIFY(!GroupsModel::isSortable(GroupsModel::State));
    }

    void oneThatExplodedAsksForAttention()
    {
        m_client->groupMarks[m_a].mute = records::GroupMute{noon + hour, QStringLiteral("ann"), noon, 100, true};
        load();
        QCOMPARE(m_feed->rows().first().row.id, m_a); // most messages
        QCOMPARE(cell(m_a, GroupsModel::Cause, models::ToneRole).toInt(), int(Tone::Normal));
        QCOMPARE(cell(m_a, GroupsModel::State, models::ToneRole).toInt(), int(Tone::Warn));
        QVERIFY(cell(m_a, GroupsModel::State).toString().startsWith(QStringLiteral("Muted at 100 messages")));
    }

    void aMuteEndsInAnOpenWindow()
    {
        m_client->groupMarks[m_a].mute =
            records::GroupMute{clockNow() + std::chrono::milliseconds{50}, QStringLiteral("ann"), noon, 2, false};
        load();
        QVERIFY(m_feed->rows().last().row.marks.mute.has_value());
        m_client->groupMarks.remove(m_a); // the mute ends by the clock of the engine, without a signal
        QTRY_COMPARE(m_feed->rows().first().row.id, m_a);
        QVERIFY(!m_feed->rows().first().row.marks.mute);
    }

    void mutedOnesAreFoundByThemselves()
    {
        m_client->groupMarks[m_a].mute = records::GroupMute{noon + hour, QStringLiteral("ann"), noon, 2, false};
        load();
        m_feed->setMuted(api::GroupQuery::Muted::Only);
        QTRY_COMPARE(m_feed->rows().size(), 1);
        QCOMPARE(m_feed->rows().first().row.id, m_a);
        m_feed->setMuted(api::GroupQuery::Muted::Without);
        QTRY_COMPARE(m_feed->rows().first().row.id, m_b);
    }

    void whatIsSentNamesWhatWasShown()
    {
        QSignalSpy succeeded(m_session.get(), &models::ConsoleSession::succeeded);
        QSignalSpy refused(m_session.get(), &models::ConsoleSession::failed);
        m_session->setGroupNote(m_a, QStringLiteral("Known"), QStringLiteral("Old"));
        QTRY_COMPARE(succeeded.count(), 1);
        QCOMPARE(*m_client->notes.last().shown, QStringLiteral("Old"));
        m_session->muteGroups({m_a, m_b}, noon + hour);
        QTRY_COMPARE(succeeded.count(), 2);
        QCOMPARE(m_client->mutes.last().groups, (QList{m_a, m_b}));
        m_client->failNext<api::SetGroupNote>({core::ErrorKind::Conflict, QStringLiteral("ann changed it."), {}, {}});
        m_session->setGroupNote(m_a, QStringLiteral("Mine"), QString());
        QTRY_COMPARE(refused.count(), 1);
        QVERIFY(refused.first().first().toString().contains(QStringLiteral("ann changed it.")));
    }

    void whatIsLostIsSaid()
    {
        api::GroupRow row;
        QCOMPARE(models::lossText(row, noon), QString());
        row.firstLost = noon + 3 * hour;
        row.lostSoon = 40;
        QCOMPARE(models::lossText(row, noon), QStringLiteral("first expires in 3 h 0 min"));
        QCOMPARE(models::lossSentence(row.firstLost, row.lostSoon, noon),
                 QStringLiteral("first expires in 3 h 0 min (40 within 24 h)"));
        QCOMPARE(models::lossSentence(row.firstLost, 0, noon), QStringLiteral("first expires in 3 h 0 min"));
    }

private:
    void load()
    {
        m_feed->setActive(true);
        m_client->publish();
        QTRY_VERIFY(m_feed->isLoaded());
    }

    [[nodiscard]] QVariant cell(core::GroupId group, int column, int role = Qt::DisplayRole)
    {
        return m_feed->model()->index(m_feed->model()->rowOf(group), column).data(role);
    }

    std::unique_ptr<support::FakeClient> m_client;
    std::unique_ptr<models::ConsoleSession> m_session;
    std::unique_ptr<models::ConsoleFilter> m_filter;
    std::unique_ptr<models::GroupsFeed> m_feed;
    core::GroupId m_a;
    core::GroupId m_b;
};

REDRIVE_TEST(TestGroupMarkRows)
#include "tst_groupmarkrows.moc"
