#pragma once

#include <QCoreApplication>

namespace broker::azurequeue {

// The translation context for the texts of Storage Queues. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(azurequeue)
};

} // namespace broker::azurequeue
