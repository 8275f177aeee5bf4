#include "views/common/filewriter.h"

#include "backend/api/whendone.h"
#include "backend/core/atomicfile.h"
#include "models/common/inbackground.h"
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
    api::whenDone(context, write(path, std::move(content)), [&session, path](const core::Result<> &done) {
        if (done)
            Q_EMIT session.succeeded(Text::tr("Saved %1.").arg(path));
        else
            Q_EMIT session.failed(Text::tr("Cannot write %1: %2").arg(path, done.error().message));
    });
}

} // namespace views
