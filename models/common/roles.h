#pragma once

#include <qnamespace.h>

namespace models {

// Data that a delegate reads besides the text. Models hold no colours: they give a tone, and the theme turns it into a
// colour.
enum Role {
    ToneRole = Qt::UserRole + 1, // Tone
    FractionRole, // double 0..1 of a progress bar; absent: no bar
    SparklineRole, // QVariantList of int
    BadgeRole, // records::Environment as int; absent: none
    SecondTextRole, // a quieter text beside the first
    IdRole, // qint64
    StaleRole, // bool: out of date or not editable, drawn grey
    PolicyRole, // QString: the policy that is assigned to the row; empty: none
    KindRole, // int: the kind of row, in models that have several
    FileRole, // QString: the cell in a file, where it differs from the text: a time with its date
    ElideRole, // Qt::TextElideMode of a cell; absent: the end is cut. Header names are cut in the middle
};

enum class Tone { Normal, Muted, Ok, Warn, Bad, Accent };

} // namespace models
