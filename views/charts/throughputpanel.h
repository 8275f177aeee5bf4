#pragma once

#include "models/common/formatters.h"
#include "models/metrics/chartspan.h"
#include "models/metrics/throughputfeed.h"
#include "models/session/consolesession.h"
#include "views/charts/throughputchart.h"
#include "views/common/filewriter.h"

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QStackedLayout;

namespace views {

class Theme;

// The chart of one operation with its time window, its legend and its exports. Does no work while it is hidden.
class ThroughputPanel final : public QWidget
{
    Q_OBJECT

public:
    ThroughputPanel(models::ConsoleSession &session, const Theme &theme, QWidget *parent = nullptr);

    void follow(core::OperationId operation);
    void setZone(models::TimeZone zone);

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *makeHeader();
    void addLegend(QHBoxLayout *row, const QString &name, const QString &tip, const QString &tone);
    void dress();
    void refresh();
    void draw();
    void savePng();
    void saveCsv();
    [[nodiscard]] models::ChartSpan span() const;

    models::ConsoleSession &m_session;
    const Theme &m_theme;
    models::ThroughputFeed m_feed;
    ThroughputChart *m_chart;
    QComboBox *m_window = nullptr;
    QStackedLayout *m_stack = nullptr;
};

} // namespace views
