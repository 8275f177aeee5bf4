#pragma once

#include <QThread>

#include <functional>

namespace support {

// The thread of something that stands between two sides of a line: a test may block meanwhile.
class ProxyThread final
{
public:
    ProxyThread();
    ~ProxyThread(); // ends what was made
    ProxyThread(const ProxyThread &) = delete;
    ProxyThread &operator=(const ProxyThread &) = delete;

    // Calls it on the thread and waits for it; what it makes lives and dies there.
    void make(const std::function<QObject *()> &maker);

private:
    QThread m_thread;
    QObject *m_context;
};

} // namespace support
