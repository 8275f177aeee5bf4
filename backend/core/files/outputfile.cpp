#include "backend/core/files/outputfile.h"

#include "backend/core/files/storefiles.h"
#include "backend/core/text.h"

#include <QFileInfo>

namespace core {

namespace {

// Of another profile, a backup, or of another program: none of what is written here ever belongs there.
bool isDatabase(const QString &path)
{
    constexpr char mark[] = "SQLite format 3"; // with the zero at its end; https://www.sqlite.org/fileformat2.html
    QFile file(path);
    return file.open(QIODevice::ReadOnly) && file.read(sizeof mark) == QByteArray(mark, sizeof mark);
}

Result<> check(const OutputTarget &target)
{
    const QFileInfo file(target.path);
    if (StoreFiles(target.store).contain(target.path))
        return fail(ErrorKind::Refused,
                    Text::tr("%1 belongs to the store in use. Choose another file.").arg(target.path));
    if (!file.exists())
        return {};
    if (!file.isFile())
        return fail(ErrorKind::Refused, Text::tr("%1 is not a file. Choose another name.").arg(target.path));
    if (!target.replaces)
        return fail(ErrorKind::Refused,
                    Text::tr("The file %1 exists already. Choose another name, or replace it.").arg(target.path));
    if (isDatabase(target.path))
        return fail(ErrorKind::Refused, Text::tr("%1 is a database. Choose another file.").arg(target.path));
    return {};
}

OutputTarget resolved(OutputTarget target)
{
    const QFileInfo file(target.path);
    const QString real = file.canonicalFilePath();
    target.path = real.isEmpty() ? file.absoluteFilePath() : real;
    return target;
}

} // namespace

OutputFile::OutputFile(OutputTarget target, PartFile part)
    : m_target(std::move(target))
    , m_part(std::move(part))
    , m_file(m_part.path())
{
}

Result<std::unique_ptr<OutputFile>> OutputFile::open(const OutputTarget &target)
{
    TRY(check(target));
    const OutputTarget real = resolved(target);
    Result<PartFile> part = PartFile::beside(real.path);
    if (!part)
        return fail(ErrorKind::Refused, part.error().message, part.error().detail);
    std::unique_ptr<OutputFile> file(new OutputFile(real, *std::move(part)));
    if (!file->m_file.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
        return file->failed();
    return file;
}

Result<> OutputFile::write(const QByteArray &bytes)
{
    if (m_file.write(bytes) == bytes.size())
        return {};
    return failed();
}

Result<> OutputFile::commit()
{
    m_file.close();
    TRY(check(m_target)); // writing may have taken long
    Result<> done = m_part.sync();
    if (done)
        done = m_part.moveTo(m_target.path, m_target.replaces ? PartFile::Replace::Yes : PartFile::Replace::No);
    if (!done)
        return fail(ErrorKind::Refused, done.error().message, done.error().detail);
    return {};
}

tl::unexpected<Error> OutputFile::failed() const
{
    return fail(ErrorKind::Refused, Text::tr("Cannot write %1: %2.").arg(m_target.path, m_file.errorString()));
}

Result<> writeOutput(const OutputTarget &target, const QByteArray &content)
{
    TRY(const std::unique_ptr<OutputFile> file, OutputFile::open(target));
    TRY(file->write(content));
    return file->commit();
}

} // namespace core
