// Notes and mutes on a whole engine: who may make them, what is refused, and what the activity log says.
#include "backend/api/requests/groupmarks.h"
#include "backend/api/requests/queries.h"
#include "backend/engine/commands/connectionservice.h"
#include "backend/store/messages/groupmarkstore.h"
#include "tests/support/enginefixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using core::Result;
using support::EngineFixture;

namespace {

QString text(const char *words)
{
    return QString::fromLatin1(words);
}

struct SilentEngineFixture : EngineFixture
{
    explicit SilentEngineFixture(records::Rights rights = records::defaultRights)
    {
        connection.rights = rights;
        fill(6);
        start();
        runUntil([this] { return engine->connections().all().size() == 1; });
        group = firstGroup(0);
        other = firstGroup(1);
    }

    core::GroupId firstGroup(int n) const
    {
        const auto queries = store::Queries::open(folder.filePath(QStringLiteral("store.sqlite")));
        const Result<api::GroupPage> page = (*queries)->ask(api::GroupQuery{});
        return page ? page->rows.value(n).id : core::GroupId();
    }

    Result<> note(const QString &words, std::optional<QString> shown = {})
    {
        return carryOut(api::SetGroupNote{group, words, shown}, QStringLiteral("ann"));
    }

    Result<> mute(const QList<core::GroupId> &groups, std::optional<core::TimePoint> until)
    {
        return carryOut(api::MuteGroups{groups, until}, QStringLiteral("bob"));
    }

    records::GroupMarks marks(core::GroupId of)
    {
        return ask<records::GroupMarks>([&](store::Session &session) -> Result<records::GroupMarks> {
            const Result<store::MarkedGroup> found = session.groupMarks().load(of, clock.now());
            return found ? Result<records::GroupMarks>(found->marks) : core::fail(found.error());
        });
    }

    // The last entry of a person; the engine writes entries of its own.
    records::Event lastEvent()
    {
        QList<records::Event> all = events();
        all.removeIf([](const records::Event &one) { return one.who != text("ann") && one.who != text("bob"); });
        return all.isEmpty() ? records::Event() : all.last();
    }

    core::GroupId group;
    core::GroupId other;
};

} // namespace

class TestGroupService final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aNoteIsWrittenChangedAndRemoved();
    void aNoteSurvivesARestart();
    void whatSomebodyElseWroteMeanwhileIsNotLost();
    void aNoteIsPlainTextOfABoundedLength();
    void mutingTellsUntilWhenAndByWhom();
    void aTimeToMuteIsAheadAndNotFarAhead();
    void allAreMutedOrNone();
    void eachNeedsItsRight();
};

void TestGroupService::aNoteIsWrittenChangedAndRemoved()
{
    SilentEngineFixture fixture;
    QVERIFY(fixture.note(text("  Known:\r\nBILL-12 ")));
    const records::GroupNote written = *fixture.marks(fixture.group).note;
    QCOMPARE(written.text, text("Known:\nBILL-12"));
    QCOMPARE(written.who, text("ann"));
    QVERIFY(written.at == fixture.clock.now());
    QCOMPARE(fixture.lastEvent().what, text("Note written"));
    QCOMPARE(fixture.lastEvent().who, text("ann"));
    QVERIFY2(fixture.lastEvent().onWhat.endsWith(text(" on shop")), qPrintable(fixture.lastEvent().onWhat));
    QVERIFY(fixture.lastEvent().result.contains(text("BILL-12")));

    QVERIFY(fixture.note(text("Solved"), written.text));
    QCOMPARE(fixture.marks(fixture.group).note->text, text("Solved"));
    QVERIFY(fixture.note(QString(), text("Solved")));
    QVERIFY(!fixture.marks(fixture.group).note);
    QCOMPARE(fixture.lastEvent().what, text("Note removed"));
    const Result<> again = fixture.note(QString());
    QVERIFY(!again);
    QVERIFY(again.error().kind == ErrorKind::NotFound);
}

void TestGroupService::aNoteSurvivesARestart()
{
    SilentEngineFixture fixture;
    QVERIFY(fixture.note(text("Known")));
    fixture.restart();
    QCOMPARE(fixture.marks(fixture.group).note->text, text("Known"));
}

void TestGroupService::whatSomebodyElseWroteMeanwhileIsNotLost()
{
    SilentEngineFixture fixture;
    QVERIFY(fixture.note(text("First"), QString()));
    const Result<> late = fixture.note(text("Mine"), QString());
    QVERIFY(!late);
    QVERIFY(late.error().kind == ErrorKind::Conflict);
    QVERIFY(late.error().message.contains(text("ann")));
    QCOMPARE(fixture.marks(fixture.group).note->text, text("First"));
    QVERIFY(fixture.note(QString()));
    QVERIFY(fixture.note(text("Mine"), text("First")).error().kind == ErrorKind::Conflict); // it was removed
}

void TestGroupService::aNoteIsPlainTextOfABoundedLength()
{
    SilentEngineFixture fixture;
    QVERIFY(fixture.note(QString(records::GroupNote::longest, QLatin1Char('x'))));
    QVERIFY(fixture.note(QString(records::GroupNote::longest + 1, QLatin1Char('y'))).error().kind
            == ErrorKind::Rejected);
    QVERIFY(fixture.note(text("a") + QChar(QChar::Null) + text("b")).error().kind == ErrorKind::Rejected);
    QVERIFY(fixture.marks(fixture.group).note->text.startsWith(QLatin1Char('x')));
}

void TestGroupService::mutingTellsUntilWhenAndByWhom()
{
    SilentEngineFixture fixture;
    const core::TimePoint until = fixture.clock.now() + std::chrono::hours(8);
    QVERIFY(fixture.mute({fixture.group}, until));
    const records::GroupMute mute = *fixture.marks(fixture.group).mute;
    QVERIFY(mute.until == until);
    QCOMPARE(mute.who, text("bob"));
    QVERIFY(mute.count > 0);
    QVERIFY(!mute.loud);
    QVERIFY(fixture.lastEvent().what.startsWith(text("Muted until ")));
    QVERIFY(fixture.lastEvent().what.endsWith(text(" UTC")));

    QVERIFY(fixture.mute({fixture.group}, std::nullopt));
    QVERIFY(!fixture.marks(fixture.group).mute);
    QCOMPARE(fixture.lastEvent().what, text("Unmuted"));
    const Result<> again = fixture.mute({fixture.group}, std::nullopt); // nothing was muted
    QVERIFY(!again && again.error().kind == ErrorKind::Conflict);
    QVERIFY(fixture.mute({fixture.group}, until));
    fixture.advance(std::chrono::hours(8));
    QVERIFY(!fixture.marks(fixture.group).mute); // it expired by itself
}

void TestGroupService::aTimeToMuteIsAheadAndNotFarAhead()
{
    SilentEngineFixture fixture;
    const core::TimePoint now = fixture.clock.now();
    QVERIFY(fixture.mute({fixture.group}, now).error().kind == ErrorKind::Rejected);
    QVERIFY(fixture.mute({fixture.group}, now + records::GroupMute::longest + core::Milliseconds{1}).error().kind
            == ErrorKind::Rejected);
    QVERIFY(fixture.mute({}, now + std::chrono::hours(1)).error().kind == ErrorKind::Rejected);
    QVERIFY(!fixture.marks(fixture.group).mute);
}

void TestGroupService::allAreMutedOrNone()
{
    SilentEngineFixture fixture;
    const core::TimePoint until = fixture.clock.now() + std::chrono::hours(1);
    QVERIFY(fixture.mute({fixture.group, core::GroupId{4711}}, until).error().kind == ErrorKind::NotFound);
    QVERIFY(!fixture.marks(fixture.group).mute);
    QVERIFY(fixture.mute({fixture.group, fixture.other}, until));
    QVERIFY(fixture.marks(fixture.group).mute && fixture.marks(fixture.other).mute);
}

void TestGroupService::eachNeedsItsRight()
{
    SilentEngineFixture fixture(records::Right::See);
    QVERIFY(fixture.note(text("Known")));
    const Result<> muted = fixture.mute({fixture.group}, fixture.clock.now() + std::chrono::hours(1));
    QVERIFY(!muted);
    QVERIFY(muted.error().kind == ErrorKind::Refused);
    QVERIFY(!fixture.marks(fixture.group).mute);
    QCOMPARE(fixture.lastEvent().result,
             QStringLiteral("refused: ") + muted.error().message); // the activity log has refused commands, too

    SilentEngineFixture blind(records::Right::Archive);
    QVERIFY(blind.note(text("Known")).error().kind == ErrorKind::Refused);
}

REDRIVE_TEST(TestGroupService)
#include "tst_groupservice.moc"
