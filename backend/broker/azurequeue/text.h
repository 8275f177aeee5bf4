#pragma once

#include <QCoreApplication>

namespace broker::azurequeue {

// The translation context of everything that Storage Queues say to people. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(azurequeue)
};

} // namespace broker::azurequeue
