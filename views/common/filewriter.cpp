#include "views/common/filewriter.h"

#include "backend/api/whendone.h"
#include "backend/core/files/outputfile.h"
#include "models/common/formatters.h"
#include "models/common/inbackground.h"
#include "models/common/visibletext.h"
#include "views/common/text.h"

#include <QFileDialog>

namespace views {

namespace {

core::Result<> written(const core::OutputTarget &target, const QByteArray &content)
{
    if (content.isEmpty())
        return core::fail(core::ErrorKind::Rejected, Text::tr("%1: there is nothing to write.").arg(target.path));
    return core::writeOutput(target, content);
}

void report(models::ConsoleSession &session, QObject *context, const api::Answer<> &writing, const QString &success)
{
    api::whenDone(context, writing, [&session, success](const core::Result<> &done) {
        if (done)
            Q_EMIT session.succeeded(success);
        else
            Q_EMIT session.failed(models::visibleLine(done.error().message));
    });
}

} // namespace

void FileWriter::askForPath(QWidget *parent, const QString &title, const QString &proposed, const QString &kinds,
                            std::function<void(const QString &path)> chosen)
{
    auto *dialog = new QFileDialog(parent, title, proposed, kinds);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, std::move(chosen));
    dialog->open();
}

core::OutputTarget FileWriter::target(const models::ConsoleSession &session, const QString &path)
{
    return {path, session.snapshot().storePath, true};
}

api::Answer<> FileWriter::write(const models::ConsoleSession &session, const QString &path, Content content)
{
    return models::inBackground(
        [place = target(session, path), content = std::move(content)] { return written(place, content()); });
}

void FileWriter::save(models::ConsoleSession &session, QObject *context, const QString &path, Content content)
{
    report(session, context, write(session, path, std::move(content)),
           Text::tr("Saved %1.").arg(models::visibleLine(path)));
}

void FileWriter::save(models::ConsoleSession &session, const QString &path, const api::Answer<models::CsvTable> &table)
{
    api::whenDone(&session, table, [&session, path](const core::Result<models::CsvTable> &read) {
        if (!read)
            return Q_EMIT session.failed(
                Text::tr("The table was not saved: %1").arg(models::visibleLine(read.error().message)));
        report(session, &session, write(session, path, [content = read->content] { return content; }),
               Text::tr("Saved %1 rows to %2.", nullptr, int(read->rows))
                   .arg(models::formatNumber(read->rows), models::visibleLine(path)));
    });
}

} // namespace views
