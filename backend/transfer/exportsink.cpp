#include "backend/transfer/exportsink.h"

namespace transfer {

using core::Result;

FileSink::FileSink(std::unique_ptr<core::OutputFile> file)
    : m_file(std::move(file))
{
}

Result<std::unique_ptr<ExportSink>> FileSink::open(const core::OutputTarget &target)
{
    TRY(std::unique_ptr<core::OutputFile> file, core::OutputFile::open(target));
    return std::unique_ptr<ExportSink>(new FileSink(std::move(file)));
}

Result<> FileSink::write(const QByteArray &bytes)
{
    return m_file->write(bytes);
}

Result<> FileSink::commit()
{
    return m_file->commit();
}

} // namespace transfer
