#pragma once

#include "backend/core/files/outputfile.h"

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

// A file (core::OutputFile).
class FileSink final : public ExportSink
{
public:
    // Errors: as core::OutputFile::open.
    [[nodiscard]] static core::Result<std::unique_ptr<ExportSink>> open(const core::OutputTarget &target);

    [[nodiscard]] core::Result<> write(const QByteArray &bytes) override;
    [[nodiscard]] core::Result<> commit() override;

private:
    explicit FileSink(std::unique_ptr<core::OutputFile> file);

    std::unique_ptr<core::OutputFile> m_file;
};

} // namespace transfer
