#include "views/queues/expirydialog.h"

#include "models/common/visibletext.h"
#include "views/common/lists/datatable.h"

namespace views {

namespace {

constexpr int lostWidth = 190;
constexpr int queueWidth = 180;
constexpr int typeWidth = 180;

} // namespace

ExpiryDialog::ExpiryDialog(const Console &console, core::ConnectionId connection, const QString &queue, QWidget *parent)
    : ListDialog(
        console.theme, QStringLiteral("expiry"),
        tr("Browsed messages stay in their queue until they expire there. Taken messages are in the store and do not "
           "expire."),
        parent)
    , m_model(console.session, console.filter, connection, queue)
{
    const api::ConnectionView *view = console.session.connection(connection);
    const QString name = view == nullptr ? QString() : models::visibleLine(view->connection.name);
    setWindowTitle(queue.isEmpty() ? tr("Messages that expire on %1").arg(name)
                                   : tr("Messages that expire on %1 in %2").arg(name, models::visibleLine(queue)));
    table().setAccessibleName(tr("Messages that expire"));
    table().setModel(&m_model);
    table().setWidths({lostWidth, queueWidth, typeWidth, 0}, models::ExpiryModel::Cause);
    connect(&table(), &DataTable::opened, this, [this, navigator = &console.navigator](const QModelIndex &index) {
        Q_EMIT navigator->messageOpened(m_model.rows().at(index.row()).message);
    });
    connect(this, &ListDialog::wantedAgain, &m_model, &models::ExpiryModel::load);
    connect(&m_model, &models::ExpiryModel::changed, this, &ExpiryDialog::refresh);
    refresh();
    m_model.load();
}

void ExpiryDialog::refresh()
{
    showRows(m_model.isLoaded(), m_model.error(), tr("No known expiry"), tr("No browsed message is known to expire."));
    setSummary(m_model.isLoaded() ? m_model.summary() : QString());
}

} // namespace views

#include "moc_expirydialog.cpp"
