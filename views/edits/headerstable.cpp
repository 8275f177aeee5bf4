#include "views/edits/headerstable.h"

#include "views/common/lists/datatable.h"
#include "views/common/theme/theme.h"
#include "views/common/widgets/plaintext.h"
#include "views/edits/kindbox.h"

#include <QHBoxLayout>
#include <QItemEditorFactory>
#include <QKeyEvent>
#include <QPushButton>
#include <QStyledItemDelegate>

namespace views {

namespace {

using models::EditedHeaders;

class KindBoxMaker final : public QItemEditorCreatorBase
{
public:
    QWidget *createWidget(QWidget *parent) const override { return new KindBox(parent); }
    QByteArray valuePropertyName() const override { return QByteArrayLiteral("kind"); }
};

const QItemEditorFactory *editors()
{
    static const QItemEditorFactory *made = [] {
        auto *factory = new QItemEditorFactory; // lives as long as the program
        factory->registerEditor(qMetaTypeId<EditedHeaders::ValueKind>(), new KindBoxMaker);
        return factory;
    }();
    return made;
}

} // namespace

HeadersTable::HeadersTable(EditedHeaders &headers, const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_headers(headers)
    , m_table(new DataTable(theme, -1, this))
    , m_add(new QPushButton(tr("Add header"), this))
    , m_remove(new QPushButton(tr("Remove header"), this))
{
    m_table->setObjectName(QStringLiteral("editHeaders"));
    m_table->setAccessibleName(tr("Headers"));
    m_table->setModel(&m_headers);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
    m_table->setWidths({190, 0, 118}, EditedHeaders::Value);
    m_table->fitColumn(EditedHeaders::Name);
    m_table->installEventFilter(this);
    if (auto *delegate = qobject_cast<QStyledItemDelegate *>(m_table->itemDelegate()))
        delegate->setItemEditorFactory(const_cast<QItemEditorFactory *>(editors()));
    m_add->setObjectName(QStringLiteral("editAddHeader"));
    m_remove->setObjectName(QStringLiteral("editRemoveHeader"));
    auto *title = new PlainLabel(tr("Headers"), this);
    title->setProperty("strong", true);
    auto *head = new QHBoxLayout;
    head->addWidget(title, 1);
    for (QPushButton *button : {m_add, m_remove}) {
        button->setAutoDefault(false);
        head->addWidget(button);
    }
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addLayout(head);
    layout->addWidget(m_table, 1);
    connect(m_table, &DataTable::opened, this, &HeadersTable::startTyping);
    connect(m_add, &QPushButton::clicked, this, &HeadersTable::addHeader);
    connect(m_remove, &QPushButton::clicked, this, &HeadersTable::toggleRemoved);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, &HeadersTable::refreshButtons);
    connect(&m_headers, &EditedHeaders::edited, this, &HeadersTable::refreshButtons);
    connect(&m_headers, &QAbstractItemModel::modelReset, this, &HeadersTable::refreshButtons);
    refreshButtons();
}

void HeadersTable::startTyping(const QModelIndex &index)
{
    const bool fits = index.flags().testFlag(Qt::ItemIsEditable);
    const QModelIndex cell = fits ? index : index.siblingAtColumn(EditedHeaders::Name);
    if (cell.flags().testFlag(Qt::ItemIsEditable))
        m_table->edit(cell);
}

void HeadersTable::finishTyping()
{
    m_table->setFocus(); // an open cell commits its text when it loses the focus
}

void HeadersTable::focusList()
{
    m_table->setFocus();
    if (!m_table->currentIndex().isValid() && m_headers.rowCount() > 0)
        m_table->setCurrentIndex(m_headers.index(0, EditedHeaders::Value));
}

int HeadersTable::headHeight() const
{
    return m_add->sizeHint().height();
}

void HeadersTable::addHeader()
{
    const QModelIndex cell = m_headers.index(m_headers.add(), EditedHeaders::Name);
    m_table->setCurrentIndex(cell);
    m_table->scrollTo(cell);
    m_table->edit(cell);
}

void HeadersTable::toggleRemoved()
{
    const int row = m_table->currentIndex().row();
    if (row < 0 || !m_headers.whyLocked(row).isEmpty())
        return;
    if (m_headers.isRemoved(row))
        m_headers.putBack(row);
    else
        m_headers.remove(row);
    refreshButtons();
}

void HeadersTable::refreshButtons()
{
    const int row = m_table->currentIndex().row();
    const bool chosen = row >= 0 && row < m_headers.rowCount();
    const QString why = chosen ? m_headers.whyLocked(row) : tr("Select a header first.");
    m_remove->setEnabled(why.isEmpty());
    m_remove->setToolTip(plainToolTip(why));
    m_remove->setText(chosen && m_headers.isRemoved(row) ? tr("Put header back") : tr("Remove header"));
}

bool HeadersTable::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const auto *key = dynamic_cast<const QKeyEvent *>(event);
        if (key != nullptr && key->key() == Qt::Key_Delete) {
            toggleRemoved();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace views

#include "moc_headerstable.cpp"
