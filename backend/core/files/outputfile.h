#pragma once

#include "backend/core/files/partfile.h"

#include <QFile>

#include <memory>

namespace core {

// Where a person wants something to be written.
struct OutputTarget
{
    QString path;
    QString store; // the store in use, which is never written over; empty: there is none
    bool replaces = false; // an existing file
};

// The one way to write a file that a person names: messages, reports, tables, pictures. Only its owner can read it (0600),
// because most of them hold parts of messages. It is written beside its place and has its name only after commit(): until
// then, and after an error or a crash, an older file of that name is unchanged. Any thread, one at a time.
class OutputFile final
{
public:
    // Refused: a file is there and is not to be replaced, is part of the store in use (see StoreFiles), is any database of
    // SQLite, or is no regular file; or the place cannot be written.
    [[nodiscard]] static Result<std::unique_ptr<OutputFile>> open(const OutputTarget &target);

    [[nodiscard]] Result<> write(const QByteArray &bytes);
    // After this the content is on the disk.
    [[nodiscard]] Result<> commit();

private:
    OutputFile(OutputTarget target, PartFile part);
    [[nodiscard]] tl::unexpected<Error> failed() const;

    const OutputTarget m_target; // a link is resolved
    PartFile m_part;
    QFile m_file;
};

[[nodiscard]] Result<> writeOutput(const OutputTarget &target, const QByteArray &content);

} // namespace core
