#include "views/conventions/usemenu.h"

#include "views/common/widgets/plaintext.h"

#include <QMenu>

namespace views {

void addUses(QMenu &menu, const records::MessagePlace &place, const std::function<void(models::PlaceUse)> &said)
{
    menu.setToolTipsVisible(true);
    for (int i = 0; i < models::placeUseCount; ++i) {
        const auto use = models::PlaceUse(i);
        if (use == models::PlaceUse::Remove)
            menu.addSeparator();
        QAction *entry = menu.addAction(models::textOf(use));
        entry->setObjectName(QStringLiteral("use%1").arg(i));
        const QString refusal = models::refusalOf(use, place);
        entry->setEnabled(refusal.isEmpty());
        entry->setToolTip(plainToolTip(refusal));
        QObject::connect(entry, &QAction::triggered, &menu, [said, use] { said(use); });
    }
}

} // namespace views
