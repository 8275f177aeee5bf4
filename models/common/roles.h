#pragma once

#include <qnamespace.h>

namespace models {

// What a delegate may ask beside the text. Colours are never in a model: a tone is a meaning, the theme gives it a
// colour.
enum Role {
    ToneRole = Qt::UserRole + 1, // Tone
    FractionRole, // double 0..1 of a progress bar; absent: no bar
    SparklineRole, // QVariantList of int
    BadgeRole, // records::Environment as int; absent: none
    SecondTextRole, // a quieter text beside the first
    IdRole, // qint64
    StaleRole, // bool: older than it should be, drawn grey
    KindRole, // what sort of row this is, where a tree has several
    ElideRole, // Qt::TextElideMode of a cell; absent: its end is cut. Types and names of headers differ in their ends
};

enum class Tone { Normal, Muted, Ok, Warn, Bad, Accent };

} // namespace models
