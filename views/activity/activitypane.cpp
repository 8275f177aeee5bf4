#include "views/activity/activitypane.h"

#include "backend/api/requests/queries.h"
#include "models/common/text.h"
#include "views/common/filewriter.h"
#include "views/common/lists/datatable.h"
#include "views/common/lists/filterrow.h"

#include <QHeaderView>
#include <QPushButton>
#include <QVBoxLayout>

namespace views {

ActivityPane::ActivityPane(const Console &console, QWidget *parent)
    : QWidget(parent)
    , m_console(console)
    , m_feed(console.session, console.filter)
    , m_filters(new FilterRow)
    , m_table(new DataTable(console.theme, -1))
{
    setObjectName(QStringLiteral("activityPane"));
    m_table->setObjectName(QStringLiteral("activityTable"));
    m_table->setAccessibleName(tr("Activity"));
    m_table->setModel(m_feed.model());
    m_table->setWidths({104, 76, 100, 140, 130, 0}, models::EventsModel::Outcome);
    m_table->setDispensable({models::EventsModel::Severity, models::EventsModel::Who});
    m_table->fitColumn(models::EventsModel::What);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_filters);
    layout->addWidget(m_table, 1);
    makeFilters();
    connect(&m_feed, &models::EventsFeed::changed, this, &ActivityPane::updateCounts);
}

void ActivityPane::makeFilters()
{
    QComboBox *severity = m_filters->addChoice(tr("Show"), QStringLiteral("severity"));
    severity->addItem(tr("Everything"), int(records::Severity::Info));
    severity->addItem(tr("Warnings and problems"), int(records::Severity::Warning));
    severity->addItem(tr("Problems"), int(records::Severity::Problem));
    QLineEdit *box = m_filters->addBox(m_console.theme, tr("Filter activity"), QStringLiteral("activityFilter"));
    m_filters->finish();
    auto *checkButton = new QPushButton(tr("Check log"));
    checkButton->setObjectName(QStringLiteral("checkActivity"));
    checkButton->setToolTip(tr("Check that no entry of the activity log was changed or removed."));
    m_filters->addButton(checkButton);
    auto *saveButton = new QPushButton(m_console.theme.icon(QStringLiteral("save")), tr("Save log…"));
    saveButton->setObjectName(QStringLiteral("saveActivity"));
    saveButton->setToolTip(tr("Save every event that matches the filter, also those that are too old for this list."));
    m_filters->addButton(saveButton);
    connect(severity, &QComboBox::currentIndexChanged, this,
            [this, severity] { m_feed.setLeastSeverity(records::Severity(severity->currentData().toInt())); });
    connect(box, &QLineEdit::textChanged, this, [this](const QString &text) { m_feed.setText(text); });
    connect(checkButton, &QPushButton::clicked, this, &ActivityPane::check);
    connect(saveButton, &QPushButton::clicked, this, &ActivityPane::save);
}

void ActivityPane::setActive(bool active)
{
    m_feed.setActive(active);
}

void ActivityPane::updateCounts()
{
    const int count = m_feed.model()->rowCount();
    const QString shown = models::formatNumber(count);
    const std::optional<qint64> newest = m_feed.newestOnly();
    if (!m_feed.error().isEmpty())
        m_filters->setCounts(m_feed.error());
    else if (!newest)
        m_filters->setCounts(tr("%1 events", nullptr, count).arg(shown));
    else if (count == *newest)
        m_filters->setCounts(tr("newest %1 events").arg(shown));
    else
        m_filters->setCounts(tr("%1 shown of the newest %2 events").arg(shown, models::formatNumber(*newest)));
}

void ActivityPane::check()
{
    m_console.session.ask(this, api::TrailCheckQuery{}, [this](const core::Result<records::TrailCheck> &check) {
        if (!check)
            Q_EMIT m_console.session.failed(check.error().message);
        else if (check->fault == records::TrailCheck::Fault::None)
            Q_EMIT m_console.session.succeeded(records::sentence(*check));
        else
            Q_EMIT m_console.session.failed(records::sentence(*check));
    });
}

void ActivityPane::save()
{
    FileWriter::askForPath(
        this, tr("Save activity log"), QStringLiteral("redrive-activity.csv"), tr("CSV files (*.csv)"),
        [this](const QString &path) { FileWriter::save(m_console.session, path, m_feed.readCsv()); });
}

} // namespace views

#include "moc_activitypane.cpp"
