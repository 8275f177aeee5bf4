#pragma once

#include <QObject>
#include <QString>

namespace test {

// The one of that name within, at any depth. There must be one.
template<typename T>
[[nodiscard]] T *child(const QObject &in, const char *name)
{
    T *found = in.findChild<T *>(QString::fromLatin1(name));
    if (found == nullptr)
        qFatal("no %s", name);
    return found;
}

} // namespace test
