#include "views/common/filereader.h"

#include "backend/api/whendone.h"
#include "models/common/inbackground.h"
#include "views/common/text.h"

#include <QFile>
#include <QFileDialog>

namespace views {

namespace {

core::Result<QByteArray> contentOf(const QString &path, qint64 longest)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return core::fail(core::ErrorKind::Rejected, Text::tr("%1 cannot be read: %2").arg(path, file.errorString()));
    const QByteArray content = file.read(longest + 1);
    if (file.error() != QFileDevice::NoError)
        return core::fail(core::ErrorKind::Rejected, Text::tr("%1 cannot be read: %2").arg(path, file.errorString()));
    if (content.size() > longest)
        return core::fail(
            core::ErrorKind::Rejected,
            Text::tr("%1 is too large: it can have at most %2 bytes.").arg(path, QString::number(longest)));
    return content;
}

} // namespace

void FileReader::ask(QWidget *parent, const QString &title, const QString &kinds, qint64 longest,
                     std::function<void(const core::Result<QByteArray> &content)> read)
{
    auto *dialog = new QFileDialog(parent, title, QString(), kinds);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                     [parent, longest, read = std::move(read)](const QString &path) {
                         api::whenDone(parent, FileReader::read(path, longest), read);
                     });
    dialog->open();
}

api::Answer<QByteArray> FileReader::read(const QString &path, qint64 longest)
{
    return models::inBackground([path, longest] { return contentOf(path, longest); });
}

} // namespace views
