#pragma once

#include "models/conventions/messageplaces.h"
#include "models/conventions/placeuse.h"

#include <QWidget>

class QLineEdit;
class QMenu;
class QPushButton;

namespace views {

class DataTable;
class Theme;

// The fields of one message, to say of one of them what it means: with the button, Enter or the context menu. GUI
// thread.
class PlacePicker final : public QWidget
{
    Q_OBJECT

public:
    explicit PlacePicker(const Theme &theme, QWidget *parent = nullptr);

    void show(const records::Envelope &envelope);
    void choose(const records::MessagePlace &place); // selects it; one with fields inside becomes the filter

Q_SIGNALS:
    void said(models::PlaceUse use, const records::MessagePlace &place);

private:
    void fillMenu();
    void popUp(const QPoint &onScreen);
    void update();

    models::MessagePlaces m_places;
    QLineEdit *m_filter;
    DataTable *m_table;
    QPushButton *m_button;
    QMenu *m_menu;
};

} // namespace views
