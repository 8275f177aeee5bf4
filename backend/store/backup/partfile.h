#pragma once

#include "backend/core/result.h"

#include <QString>

#include <stop_token>

namespace store {

// A file that is being made beside the place it is meant for: for its owner alone (0600), and gone with what SQLite puts beside
// it unless it was put in its place.
class PartFile final
{
public:
    [[nodiscard]] static core::Result<PartFile> beside(const QString &target);
    PartFile(PartFile &&other) noexcept;
    PartFile &operator=(PartFile &&) = delete;
    ~PartFile();

    [[nodiscard]] const QString &path() const { return m_path; }

    // The bytes of another file. Cancelled when stopped.
    [[nodiscard]] core::Result<> copyFrom(const QString &other, const std::stop_token &stop);
    // On the disk, whatever happens next.
    [[nodiscard]] core::Result<> sync() const;

    enum class Replace { No, Yes };
    // Takes the name of the target in one step. Refused when there is such a file and it is not to be replaced.
    [[nodiscard]] core::Result<> moveTo(const QString &target, Replace replace);
    // Takes the name of the target in one step, and what had that name has `kept` from then on. Killed in between, the target
    // is the old file or the new one, and both are there.
    [[nodiscard]] core::Result<> exchangeWith(const QString &target, const QString &kept);

private:
    explicit PartFile(QString path);
    QString m_path; // empty: it is in its place
};

// Fewer than `bytes` are left on the disk of this file.
[[nodiscard]] bool hasLessRoomThan(const QString &path, qint64 bytes);

} // namespace store
