#include "views/edits/editfiles.h"

#include "backend/api/whendone.h"
#include "backend/records/editing/editfile.h"
#include "views/common/filereader.h"
#include "views/common/filewriter.h"
#include "views/common/text.h"

#include <QWidget>

namespace views {

namespace {

QString kinds()
{
    return Text::tr("Edit files (*.json);;All files (*)");
}

} // namespace

void askToLoadEdit(QWidget *parent, const std::function<void(const core::Result<records::Edit> &)> &loaded)
{
    FileReader::ask(parent, Text::tr("Load edit"), kinds(), records::longestEditFile,
                    [loaded](const core::Result<QByteArray> &file) {
                        loaded(file ? records::editFrom(*file) : core::Result<records::Edit>(core::fail(file.error())));
                    });
}

void askToSaveEdit(const models::ConsoleSession &session, QWidget *parent, const records::Edit &edit,
                   const std::function<void(const QString &path, const core::Result<> &)> &saved)
{
    FileWriter::askForPath(parent, Text::tr("Save edit"), QStringLiteral("edit.json"), kinds(),
                           [&session, parent, edit, saved](const QString &path) {
                               const auto content = [edit] { return records::toJson(edit); };
                               api::whenDone(parent, FileWriter::write(session, path, content),
                                             [path, saved](const core::Result<> &done) { saved(path, done); });
                           });
}

} // namespace views
