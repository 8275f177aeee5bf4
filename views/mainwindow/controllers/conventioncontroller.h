#pragma once

#include "backend/api/requests/conventions.h"
#include "views/mainwindow/mainwindow.h"

namespace views {

// Adds the conventions of one's own to the window: the list in the menu, and the dialog that a field of a message opens.
// Lives as long as the window. GUI thread.
class ConventionController final : public QObject
{
    Q_OBJECT

public:
    explicit ConventionController(MainWindow &window);

private:
    struct Wish
    {
        api::MessageDetail message;
        records::MessagePlace place;
        std::optional<models::PlaceUse> use;
    };
    void openList();
    void begin(const Wish &wish);
    void findApplied(const Wish &wish, const QList<api::ConventionView> &known);
    void open(const Wish &wish, records::Convention convention, bool isNew);
    [[nodiscard]] const Console &console() const { return m_window.console(); }

    MainWindow &m_window;
};

} // namespace views
