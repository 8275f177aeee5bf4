#include "views/common/filewriter.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QPromise>
#include <QSaveFile>
#include <QThreadPool>

namespace views {

namespace {

core::Result<> written(const QString &path, const QByteArray &content)
{
    QSaveFile file(path);
    if (content.isEmpty())
        return core::fail(core::ErrorKind::Rejected,
                          QCoreApplication::translate("FileWriter", "There is nothing to write."));
    if (file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.commit())
        return {};
    return core::fail(core::ErrorKind::Rejected, file.errorString());
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
    auto promise = std::make_shared<QPromise<core::Result<>>>();
    promise->start();
    api::Answer<> future = promise->future();
    QThreadPool::globalInstance()->start([promise, path, content = std::move(content)] {
        promise->addResult(written(path, content()));
        promise->finish();
    });
    return future;
}

} // namespace views
