#pragma once

#include "tests/crash/campaign/killcampaign.h"

#include <QTest>

// The campaign as rows of a test. REDRIVE_MESSAGES: in each round; REDRIVE_KILLS: at least, in each row; REDRIVE_SEED.
namespace killing {

inline void addRows()
{
    QTest::addColumn<bool>("again");
    QTest::newRow("left in doubt") << false;
    QTest::newRow("sent again") << true;
}

inline void runRow(support::BrokerRig &rig, quint64 usualSeed)
{
    constexpr int usualMessages = 200;
    constexpr int usualKills = 10;
    QFETCH(bool, again);
    const auto asked = [](const char *name, int usual) {
        const int value = qEnvironmentVariableIntValue(name);
        return value > 0 ? value : usual;
    };
    const quint64 seed = quint64(asked("REDRIVE_SEED", int(usualSeed)));
    KillCampaign campaign(rig, seed);
    const QString wrong = campaign.run(again ? records::OnUnknown::SendAgain : records::OnUnknown::LeaveInDoubt,
                                       asked("REDRIVE_MESSAGES", usualMessages), asked("REDRIVE_KILLS", usualKills));
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    qInfo("%s", qPrintable(campaign.summary()));
}

} // namespace killing
