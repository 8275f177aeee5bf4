#pragma once

#include "backend/retry/progress.h"

namespace support {

// Nobody watches.
class SilentProgress final : public retry::Progress
{
public:
    void batchMoved(const retry::BatchProgress &) override {}
    void operationChanged(core::OperationId) override {}
    void staged(core::OperationId, qint64) override {}
    void sent(core::OperationId, qint64) override {}
    void aimed(core::OperationId, const QStringList &) override {}
};

} // namespace support
