#include "views/common/filewriter.h"

#include "backend/api/whendone.h"
#include "backend/core/atomicfile.h"
#include "models/common/formatters.h"
#include "models/common/inbackground.h"
#include "models/common/visibletext.h"
#include "views/common/text.h"

#include <QFileDialog>

namespace views {

namespace {

core::Result<> written(const QString &path, const QByteArray &content)
{
    if (content.isEmpty())
        return core::fail(core::ErrorKind::Rejected, Text::tr("There is nothing to write."));
    return core::writeAtomically(path, content);
}

void report(models::ConsoleSession &session, QObject *context, const api::Answer<> &writing, const QString &path,
            const QString &success)
{
    api::whenDone(context, writing, [&session, path, success](const core::Result<> &done) {
        if (done)
            Q_EMIT session.succeeded(success);
        else
            Q_EMIT session.failed(Text::tr("Cannot write %1: %2")
                                      .arg(models::visibleLine(path), models::visibleLine(done.error().message)));
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

api::Answer<> FileWriter::write(const QString &path, Content content)
{
    return models::inBackground([path, content = std::move(content)] { return written(path, content()); });
}

void FileWriter::save(models::ConsoleSession &session, QObject *context, const QString &path, Content content)
{
    report(session, context, write(path, std::move(content)), path,
           Text::tr("Saved %1.").arg(models::visibleLine(path)));
}

void FileWriter::save(models::ConsoleSession &session, const QString &path, const api::Answer<models::CsvTable> &table)
{
    api::whenDone(&session, table, [&session, path](const core::Result<models::CsvTable> &read) {
        if (!read)
            return Q_EMIT session.failed(
                Text::tr("The table was not saved: %1").arg(models::visibleLine(read.error().message)));
        report(session, &session, write(path, [content = read->content] { return content; }), path,
               Text::tr("Saved %1 rows to %2.", nullptr, int(read->rows))
                   .arg(models::formatNumber(read->rows), models::visibleLine(path)));
    });
}

} // namespace views
