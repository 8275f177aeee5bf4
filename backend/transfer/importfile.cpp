#include "backend/transfer/importfile.h"

#include "backend/core/text/safetext.h"
#include "backend/transfer/exportformat.h"
#include "backend/transfer/text.h"

#include <QFileInfo>

#include <algorithm>

namespace transfer {

using core::ErrorKind;
using core::Result;

namespace {

constexpr qsizetype longestFault = 500; // characters
constexpr qint64 readAtOnce = 64 * 1024; // bytes of a line
constexpr qint64 toldEvery = 1024 * 1024; // bytes

// Collects what the lines of a file say about it.
class Checker final
{
public:
    void add(qint64 number, const ImportFile::Read &read)
    {
        const Result<Line> &line = read.line;
        if (!line && number == 1 && !line.error().message.startsWith(QLatin1StringView(beginField))) {
            addFault(number, notAnExport());
        } else if (!line) {
            addFault(number, line.error().message);
        } else if (m_hasEnded) {
            addFault(number, Text::tr("The export ends before this line. Remove it, or export the messages again."));
        } else if ((line->kind == Line::Kind::First) != (number == 1)) {
            addFault(number, number == 1 ? notAnExport()
                                         : Text::tr("A second export begins here. Import each of them by itself."));
        } else if (line->kind == Line::Kind::Last) {
            end(number, line->messages);
        } else if (line->kind == Line::Kind::Message) {
            addMessage(number, line->message);
        }
        m_isHopeless = !read.goesOn || (number == 1 && m_check.faultCount > 0);
    }

    // No line after it would tell anything: it cannot be read, or the file is something else.
    [[nodiscard]] bool isHopeless() const { return m_isHopeless; }

    [[nodiscard]] FileCheck finished(qint64 lines)
    {
        m_check.isWhole = m_hasEnded && m_isComplete;
        if (!m_hasEnded && !isHopeless())
            addFault(lines + 1, Text::tr("The last line of an export is missing, so the file was cut off. Export the "
                                         "messages again."));
        return m_check;
    }

private:
    [[nodiscard]] static QString notAnExport()
    {
        return Text::tr("This is no export of Redrive: the first line must be {\"redrive_export\":1,...}.");
    }

    void addFault(qint64 number, const QString &what)
    {
        if (++m_check.faultCount <= FileCheck::mostShown)
            m_check.faults.append(
                Text::tr("Line %1: %2").arg(QString::number(number), core::safeText(what.left(longestFault))));
    }

    void addMessage(qint64 number, const records::ExportedMessage &message)
    {
        ++m_check.messages;
        if (message.status != records::MessageStatus::Unresolved)
            ++m_check.settled;
        const auto found = std::find_if(m_check.sources.begin(), m_check.sources.end(), [&](const ImportSource &one) {
            return one.connection == message.connection && one.broker == message.broker;
        });
        if (found != m_check.sources.end())
            ++found->messages;
        else if (m_check.sources.size() < FileCheck::mostSources)
            m_check.sources.append({message.connection, message.broker, 1});
        else
            addFault(number, Text::tr("The file names more than %1 connections.").arg(FileCheck::mostSources));
    }

    void end(qint64 number, qint64 stated)
    {
        m_hasEnded = true;
        m_isComplete = stated == number - 2;
        if (!m_isComplete)
            addFault(number, Text::tr("The export had %1 messages, and %2 lines are here. Export the messages again.")
                                 .arg(QString::number(stated), QString::number(number - 2)));
    }

    FileCheck m_check;
    bool m_hasEnded = false;
    bool m_isComplete = false;
    bool m_isHopeless = false;
};

tl::unexpected<core::Error> unreadable(const QString &path, const QString &why)
{
    return core::fail(ErrorKind::Rejected, Text::tr("Cannot read the file %1: %2.").arg(path, why));
}

} // namespace

ImportFile::ImportFile(const QString &path)
    : m_file(path)
{
}

Result<std::unique_ptr<ImportFile>> ImportFile::open(const QString &path)
{
    const QFileInfo info(path);
    if (info.exists() && !info.isFile()) // opening a pipe would wait for somebody who writes to it
        return unreadable(path, Text::tr("it is not a regular file"));
    std::unique_ptr<ImportFile> file(new ImportFile(path));
    if (!file->m_file.open(QIODevice::ReadOnly))
        return unreadable(path, file->m_file.errorString());
    return file;
}

std::optional<ImportFile::Read> ImportFile::next()
{
    if (m_file.atEnd())
        return std::nullopt;
    if (++m_number > mostMessages + 2)
        return Read{core::fail(ErrorKind::Rejected,
                               Text::tr("The file has more than %1 messages. Split it.").arg(mostMessages)),
                    false};
    QByteArray text;
    do {
        text += m_file.readLine(readAtOnce);
    } while (!text.endsWith('\n') && !m_file.atEnd() && text.size() <= longestLine
             && m_file.error() == QFileDevice::NoError);
    if (m_file.error() != QFileDevice::NoError)
        return Read{unreadable(m_file.fileName(), m_file.errorString()), false};
    if (text.endsWith('\n'))
        text.chop(1);
    if (text.size() > longestLine)
        return Read{
            core::fail(ErrorKind::Rejected,
                       Text::tr("The line is longer than %1 bytes. Nothing after it was read.").arg(longestLine)),
            false};
    if (m_number == 1 && text.startsWith("\xef\xbb\xbf")) // some editors write a byte order mark
        text.remove(0, 3);
    return Read{lineFrom(text), true};
}

QStringList FileCheck::lines() const
{
    QStringList all = faults;
    if (faultCount > faults.size())
        all.append(Text::tr("and %1 more").arg(faultCount - faults.size()));
    return all;
}

Result<FileCheck> checkFile(const QString &path, const std::stop_token &stop, const std::function<void(qint64)> &told)
{
    TRY(const std::unique_ptr<ImportFile> file, ImportFile::open(path));
    Checker checker;
    qint64 toldOf = 0;
    while (const std::optional<ImportFile::Read> read = file->next()) {
        if (stop.stop_requested())
            return core::fail(ErrorKind::Cancelled, Text::tr("The import was cancelled."));
        if (told && file->bytesRead() - toldOf >= toldEvery)
            told(toldOf = file->bytesRead());
        checker.add(file->number(), *read);
        if (checker.isHopeless())
            break;
    }
    if (file->number() == 0)
        return core::fail(ErrorKind::Rejected, Text::tr("The file %1 is empty.").arg(path));
    return checker.finished(file->number());
}

} // namespace transfer
