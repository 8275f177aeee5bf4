#pragma once

#include "backend/core/result.h"

#include <QLockFile>
#include <QTemporaryDir>

#include <memory>

namespace app {

// The temporary folder of a demo, which is removed at its end. The folder of a demo that was killed is removed by the next
// one.
class DemoFolder final
{
public:
    DemoFolder();

    [[nodiscard]] QString path() const { return m_folder.path(); }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<QLockFile> m_lock; // as long as its demo lives
};

// The file of the embedded broker in the folder of a demo, which is created. Unauthorized: it cannot be. Refused: it has the
// data of a run, which `continues` does not allow, because the services would send every message again.
[[nodiscard]] core::Result<QString> demoBrokerFile(const QString &folder, bool continues);

} // namespace app
