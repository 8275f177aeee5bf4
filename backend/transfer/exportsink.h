#pragma once

#include "backend/core/result.h"

#include <QSaveFile>

namespace transfer {

// Where the bytes of an export go. Used on one thread at a time.
class ExportSink
{
public:
    ExportSink() = default;
    ExportSink(const ExportSink &) = delete;
    ExportSink &operator=(const ExportSink &) = delete;
    virtual ~ExportSink() = default;

    [[nodiscard]] virtual core::Result<> write(const QByteArray &bytes) = 0;
    // All is written: makes it count. Without it nothing of a file stays.
    [[nodiscard]] virtual core::Result<> commit() = 0;
};

// A file that only its owner can read, because it holds whole messages. It has its name only after commit(): until then,
// and after an error or a crash, an older file of that name is unchanged.
class FileSink final : public ExportSink
{
public:
    // Refused: the file exists, and is not to be replaced, or cannot be written.
    [[nodiscard]] static core::Result<std::unique_ptr<ExportSink>> open(const QString &path, bool replace);

    [[nodiscard]] core::Result<> write(const QByteArray &bytes) override;
    [[nodiscard]] core::Result<> commit() override;

private:
    explicit FileSink(const QString &path);
    [[nodiscard]] tl::unexpected<core::Error> failed() const;

    QSaveFile m_file;
};

} // namespace transfer
