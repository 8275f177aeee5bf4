#pragma once

#include <QByteArray>
#include <QFile>
#include <QList>

#include <unistd.h>

namespace bench {

// What a process has taken of its processors since it began, in ms; 0: it is gone.
inline double processorTime(qint64 process)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(process));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray line = file.readAll();
    const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 2).split(' '); // from the third of proc(5)
    const qint64 ticks = fields.value(11).toLongLong() + fields.value(12).toLongLong(); // utime, stime
    return double(ticks) * 1000 / double(::sysconf(_SC_CLK_TCK));
}

} // namespace bench
