// Notes and mutes on a whole engine: who may make them, what is refused, and what stands in the trail.
#include "backend/store/groupmarkstore.h"
#include "tests/support/engineroom.h"

#include <QTest>

using core::ErrorKind;
using core::Result;
using support::EngineRoom;

namespace {

QString text(const char *words)
{
    return QString::fromLatin1(words);
}

struct Room : EngineRoom
{
    explicit Room(records::Rights rights = records::defaultRights)
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
        const Result<api::GroupPage> page = (*queries)->groups({});
        return page ? page->rows.value(n).id : core::GroupId();
    }

    Result<> note(const QString &words, std::optional<QString> shown = {})
    {
        return engine->groups().setNote({group, words, shown, QStringLiteral("ann")});
    }

    Result<> mute(const QList<core::GroupId> &groups, std::optional<core::TimePoint> until)
    {
        return engine->groups().mute({groups, until, QStringLiteral("bob")});
    }

    records::GroupMarks marks(core::GroupId of)
    {
        return ask<records::GroupMarks>([&](store::Session &session) -> Result<records::GroupMarks> {
            const Result<store::MarkedGroup> found = session.groupMarks().load(of, clock.now());
            return found ? Result<records::GroupMarks>(found->marks) : core::fail(found.error());
        });
    }

    // Of what a person did: the engine notes what it does itself.
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

class TestGroupDesk final : public QObject
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

void TestGroupDesk::aNoteIsWrittenChangedAndRemoved()
{
    Room room;
    QVERIFY(room.note(text("  Known:\r\nBILL-12 ")));
    const records::GroupNote written = *room.marks(room.group).note;
    QCOMPARE(written.text, text("Known:\nBILL-12"));
    QCOMPARE(written.who, text("ann"));
    QVERIFY(written.at == room.clock.now());
    QCOMPARE(room.lastEvent().what, text("Note written"));
    QCOMPARE(room.lastEvent().who, text("ann"));
    QVERIFY2(room.lastEvent().onWhat.endsWith(text(" on shop")), qPrintable(room.lastEvent().onWhat));
    QVERIFY(room.lastEvent().result.contains(text("BILL-12")));

    QVERIFY(room.note(text("Solved"), written.text));
    QCOMPARE(room.marks(room.group).note->text, text("Solved"));
    QVERIFY(room.note(QString(), text("Solved")));
    QVERIFY(!room.marks(room.group).note);
    QCOMPARE(room.lastEvent().what, text("Note removed"));
    const Result<> again = room.note(QString());
    QVERIFY(!again);
    QVERIFY(again.error().kind == ErrorKind::NotFound);
}

void TestGroupDesk::aNoteSurvivesARestart()
{
    Room room;
    QVERIFY(room.note(text("Known")));
    room.restart();
    QCOMPARE(room.marks(room.group).note->text, text("Known"));
}

void TestGroupDesk::whatSomebodyElseWroteMeanwhileIsNotLost()
{
    Room room;
    QVERIFY(room.note(text("First"), QString()));
    const Result<> late = room.note(text("Mine"), QString());
    QVERIFY(!late);
    QVERIFY(late.error().kind == ErrorKind::Conflict);
    QVERIFY(late.error().message.contains(text("ann")));
    QCOMPARE(room.marks(room.group).note->text, text("First"));
    QVERIFY(room.note(QString()));
    QVERIFY(room.note(text("Mine"), text("First")).error().kind == ErrorKind::Conflict); // it was removed
}

void TestGroupDesk::aNoteIsPlainTextOfABoundedLength()
{
    Room room;
    QVERIFY(room.note(QString(records::GroupNote::longest, QLatin1Char('x'))));
    QVERIFY(room.note(QString(records::GroupNote::longest + 1, QLatin1Char('y'))).error().kind == ErrorKind::Rejected);
    QVERIFY(room.note(text("a") + QChar(QChar::Null) + text("b")).error().kind == ErrorKind::Rejected);
    QVERIFY(room.marks(room.group).note->text.startsWith(QLatin1Char('x')));
}

void TestGroupDesk::mutingTellsUntilWhenAndByWhom()
{
    Room room;
    const core::TimePoint until = room.clock.now() + std::chrono::hours(8);
    QVERIFY(room.mute({room.group}, until));
    const records::GroupMute mute = *room.marks(room.group).mute;
    QVERIFY(mute.until == until);
    QCOMPARE(mute.who, text("bob"));
    QVERIFY(mute.count > 0);
    QVERIFY(!mute.loud);
    QVERIFY(room.lastEvent().what.startsWith(text("Muted until ")));
    QVERIFY(room.lastEvent().what.endsWith(text(" UTC")));

    QVERIFY(room.mute({room.group}, std::nullopt));
    QVERIFY(!room.marks(room.group).mute);
    QCOMPARE(room.lastEvent().what, text("Not muted any more"));
    QVERIFY(room.mute({room.group}, until));
    room.advance(std::chrono::hours(8));
    QVERIFY(!room.marks(room.group).mute); // nobody had to do anything
}

void TestGroupDesk::aTimeToMuteIsAheadAndNotFarAhead()
{
    Room room;
    const core::TimePoint now = room.clock.now();
    QVERIFY(room.mute({room.group}, now).error().kind == ErrorKind::Rejected);
    QVERIFY(room.mute({room.group}, now + records::GroupMute::longest + core::Milliseconds{1}).error().kind
            == ErrorKind::Rejected);
    QVERIFY(room.mute({}, now + std::chrono::hours(1)).error().kind == ErrorKind::Rejected);
    QVERIFY(!room.marks(room.group).mute);
}

void TestGroupDesk::allAreMutedOrNone()
{
    Room room;
    const core::TimePoint until = room.clock.now() + std::chrono::hours(1);
    QVERIFY(room.mute({room.group, core::GroupId{4711}}, until).error().kind == ErrorKind::NotFound);
    QVERIFY(!room.marks(room.group).mute);
    QVERIFY(room.mute({room.group, room.other}, until));
    QVERIFY(room.marks(room.group).mute && room.marks(room.other).mute);
}

void TestGroupDesk::eachNeedsItsRight()
{
    Room room(records::Right::See);
    QVERIFY(room.note(text("Known")));
    const Result<> muted = room.mute({room.group}, room.clock.now() + std::chrono::hours(1));
    QVERIFY(!muted);
    QVERIFY(muted.error().kind == ErrorKind::Refused);
    QVERIFY(!room.marks(room.group).mute);
    QCOMPARE(room.lastEvent().result, muted.error().message); // also what was refused stands in the trail

    Room blind(records::Right::Archive);
    QVERIFY(blind.note(text("Known")).error().kind == ErrorKind::Refused);
}

QTEST_GUILESS_MAIN(TestGroupDesk)
#include "tst_groupdesk.moc"
