// Reads a file of exported messages line by line: memory holds one line. Any thread, one at a time.
#pragma once

#include "backend/core/result.h"
#include "backend/records/messages/exportedmessage.h"
#include "backend/transfer/messagereader.h"

#include <QFile>
#include <QStringList>

#include <functional>
#include <optional>
#include <stop_token>

namespace transfer {

class ImportFile final
{
public:
    // Rejected: it cannot be read, or is not a regular file.
    [[nodiscard]] static core::Result<std::unique_ptr<ImportFile>> open(const QString &path);

    struct Read
    {
        core::Result<Line> line;
        bool goesOn = true; // false: no line after this one can be read
    };
    // Nothing: the file is at its end.
    [[nodiscard]] std::optional<Read> next();
    [[nodiscard]] qint64 bytesRead() const { return m_file.pos(); }
    [[nodiscard]] qint64 number() const { return m_number; } // of the last line, from 1

private:
    explicit ImportFile(const QString &path);

    QFile m_file;
    qint64 m_number = 0;
};

// Where the messages of a file come from.
struct ImportSource
{
    QString connection; // the name in the other store
    records::BrokerKind broker{};
    qint64 messages = 0;

    friend bool operator==(const ImportSource &, const ImportSource &) = default;
};

// What is in a file.
struct FileCheck
{
    static constexpr qsizetype mostShown = 20; // faults that are described
    static constexpr qsizetype mostSources = 100;

    qint64 messages = 0; // valid ones
    qint64 settled = 0; // of these, not unresolved in the other store
    QList<ImportSource> sources; // by their first message
    QStringList faults; // "Line 3: place.queue: ...", one line each, harmless on a terminal
    qint64 faultCount = 0; // of these, `faults` describes the first ones
    bool isWhole = false; // the file begins and ends as an export does, and no line is missing

    [[nodiscard]] bool isValid() const { return faultCount == 0; }
    // The faults, and "and 113 more" if these are not all.
    [[nodiscard]] QStringList lines() const;
};

// Reads all of a file and changes nothing. `read` (may be empty) is called with the bytes that have been read, about once
// for each megabyte. Rejected: it cannot be read, or is empty. Cancelled: the token says so.
[[nodiscard]] core::Result<FileCheck> checkFile(const QString &path, const std::stop_token &stop = {},
                                                const std::function<void(qint64 bytes)> &read = {});

} // namespace transfer
