#pragma once

#include "backend/core/result.h"

#include <QString>

#include <stop_token>

namespace core {

// A file that is written beside the file it will replace or become. Only its owner can read it (0600). Unless it is
// moved into place, the destructor removes it and the files that SQLite puts beside it. A killed program leaves it
// behind under its temporary name. Any thread, one at a time.
class PartFile final
{
public:
    [[nodiscard]] static Result<PartFile> beside(const QString &target);
    PartFile(PartFile &&other) noexcept;
    PartFile &operator=(PartFile &&) = delete;
    ~PartFile();

    [[nodiscard]] const QString &path() const { return m_path; }

    // Copies the bytes of another file. Cancelled: stopped.
    [[nodiscard]] Result<> copyFrom(const QString &other, const std::stop_token &stop);
    // After this the content is on the disk.
    [[nodiscard]] Result<> sync() const;

    enum class Replace { No, Yes };
    // Takes the name of the target in one step. Refused: the target exists and must not be replaced.
    [[nodiscard]] Result<> moveTo(const QString &target, Replace replace);
    // Takes the name of the target in one step; the old file is then named `kept`. Killed in between, the target is the
    // old file or the new one, and both exist.
    [[nodiscard]] Result<> exchangeWith(const QString &target, const QString &kept);

private:
    explicit PartFile(QString path);
    QString m_path; // empty: it was moved into place
};

// Whether the disk of this file has fewer than `bytes` free.
[[nodiscard]] bool hasLessRoomThan(const QString &path, qint64 bytes);

} // namespace core
