// Rows for what must not depend on the wall clock: an operator or a time server sets it, in either direction.
#pragma once

#include "tests/support/fakeclock.h"

#include <QTest>

namespace support {

inline void clocksThatAreSet()
{
    QTest::addColumn<core::Milliseconds>("by");
    QTest::newRow("as it is") << core::Milliseconds{0};
    QTest::newRow("set back an hour") << -core::Milliseconds{std::chrono::hours{1}};
    QTest::newRow("set forward an hour") << core::Milliseconds{std::chrono::hours{1}};
}

} // namespace support
