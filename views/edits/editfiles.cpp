#include "views/edits/editfiles.h"

#include "backend/records/editfile.h"
#include "views/common/filewriter.h"
#include "views/common/text.h"

#include <QFile>
#include <QFileDialog>
#include <QPromise>
#include <QThreadPool>

namespace views {

namespace {

QString kinds()
{
    return Text::tr("Edit files (*.json);;All files (*)");
}

core::Result<records::Edit> readEdit(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return core::fail(core::ErrorKind::Rejected, Text::tr("%1 cannot be read: %2").arg(path, file.errorString()));
    const QByteArray json = file.read(records::longestEditFile + 1);
    if (file.error() != QFileDevice::NoError)
        return core::fail(core::ErrorKind::Rejected, Text::tr("%1 cannot be read: %2").arg(path, file.errorString()));
    if (json.size() > records::longestEditFile)
        return core::fail(core::ErrorKind::Rejected, Text::tr("%1 is too large for an edit file.").arg(path));
    return records::editFrom(json);
}

} // namespace

api::Answer<records::Edit> loadEdit(const QString &path)
{
    auto promise = std::make_shared<QPromise<core::Result<records::Edit>>>();
    promise->start();
    api::Answer<records::Edit> future = promise->future();
    QThreadPool::globalInstance()->start([promise, path] {
        promise->addResult(readEdit(path));
        promise->finish();
    });
    return future;
}

void askToLoadEdit(QWidget *parent, const std::function<void(const core::Result<records::Edit> &)> &loaded)
{
    auto *dialog = new QFileDialog(parent, Text::tr("Load edit"), QString(), kinds());
    dialog->setObjectName(QStringLiteral("loadEdit"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                     [parent, loaded](const QString &path) { models::whenDone(parent, loadEdit(path), loaded); });
    dialog->open();
}

void askToSaveEdit(QWidget *parent, const records::Edit &edit,
                   const std::function<void(const QString &path, const core::Result<> &)> &saved)
{
    FileWriter::askForPath(parent, Text::tr("Save edit"), QStringLiteral("edit.json"), kinds(),
                           [parent, edit, saved](const QString &path) {
                               models::whenDone(parent,
                                                FileWriter::write(path, [edit] { return records::toJson(edit); }),
                                                [path, saved](const core::Result<> &done) { saved(path, done); });
                           });
}

} // namespace views
