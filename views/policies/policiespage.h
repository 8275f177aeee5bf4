#pragma once

#include "models/policies/policiesmodel.h"
#include "views/common/page.h"

class QPushButton;

namespace views {

class ButtonRow;
class DataTable;
class FilterRow;
class ListOrState;
class PolicyDetail;

// The recovery policies: what is retried by itself, when next, why not, and the buttons that stop it.
class PoliciesPage final : public Page
{
    Q_OBJECT

public:
    explicit PoliciesPage(const Console &console, QWidget *parent = nullptr);

    void choose(const QString &policy); // selects it
    [[nodiscard]] QString chosen() const; // empty: none
    void addPolicy(); // opens the dialog

    // ---- Page ----
    void setActive(bool active) override;
    void reload() override {} // the snapshot has everything
    void focusFilter() override { focusList(); }
    void focusList() override;
    void openCurrent() override { editPolicy(); }

protected:
    void resizeEvent(QResizeEvent *event) override; // a low page shows no time line

private:
    void fitList();
    void makeButtons();
    QPushButton *barButton(const QString &objectName, const QString &icon, const QString &text);
    void update();
    void updateButtons();
    void showChosen();
    void showMenu(const QPoint &at);
    void editPolicy();
    void togglePause();
    void askToRemove();
    void openDialog(const QString &name);
    void assign();
    [[nodiscard]] const api::PolicyView *current() const; // null: none is selected

    models::PoliciesModel m_model;
    FilterRow *m_bar;
    ButtonRow *m_buttons;
    DataTable *m_table;
    ListOrState *m_list;
    PolicyDetail *m_detail;
    QPushButton *m_add = nullptr;
    QPushButton *m_edit = nullptr;
    QPushButton *m_pause = nullptr;
    QPushButton *m_remove = nullptr;
    bool m_active = false;
};

} // namespace views
