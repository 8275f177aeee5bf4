#include "backend/transfer/exportsink.h"

#include "backend/transfer/text.h"

#include <QFileInfo>

namespace transfer {

using core::ErrorKind;
using core::Result;

FileSink::FileSink(const QString &path)
    : m_file(path)
{
}

Result<std::unique_ptr<ExportSink>> FileSink::open(const QString &path, bool replace)
{
    if (!replace && QFileInfo::exists(path))
        return core::fail(ErrorKind::Refused,
                          Text::tr("The file %1 exists already. Choose another name, or replace it.").arg(path));
    std::unique_ptr<FileSink> sink(new FileSink(path));
    if (!sink->m_file.open(QIODevice::WriteOnly)
        || !sink->m_file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner))
        return sink->failed();
    return std::unique_ptr<ExportSink>(std::move(sink));
}

Result<> FileSink::write(const QByteArray &bytes)
{
    if (m_file.write(bytes) == bytes.size() && m_file.flush())
        return {};
    return failed();
}

Result<> FileSink::commit()
{
    if (m_file.commit())
        return {};
    return failed();
}

tl::unexpected<core::Error> FileSink::failed() const
{
    return core::fail(ErrorKind::Refused,
                      Text::tr("Cannot write %1: %2.").arg(m_file.fileName(), m_file.errorString()));
}

} // namespace transfer
