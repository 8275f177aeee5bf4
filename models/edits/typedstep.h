#pragma once

#include "backend/core/result.h"
#include "backend/records/edit.h"

#include <QCoreApplication>

namespace models {

// One step of an edit as a person typed it, in a row of fields.
struct TypedStep
{
    Q_DECLARE_TR_FUNCTIONS(TypedStep)

public:
    // What the value is: of a header text, integer, number or true/false; of JSON text or JSON.
    enum class Form { Text, Integer, Number, Truth, Json };

    records::EditStep::Do what = records::EditStep::Do::SetHeader;
    QString name; // as in an editor: see editabletext.h
    QString text;
    Form form = Form::Text;
    QByteArray body; // of SetBody, which is not typed here
    bool whereThere = false;

    [[nodiscard]] static TypedStep of(const records::EditStep &step);
    // Rejected: what was typed is nothing of its form.
    [[nodiscard]] core::Result<records::EditStep> step() const;

    // ---- words for the fields ----
    [[nodiscard]] static QString title(records::EditStep::Do what); // "Set header"
    [[nodiscard]] static QString nameHint(records::EditStep::Do what); // "name"; of the first field
    [[nodiscard]] static QString textHint(records::EditStep::Do what); // of the second; empty: there is none
    [[nodiscard]] static QList<Form> forms(records::EditStep::Do what); // empty: there is no choice
    [[nodiscard]] static QString textOf(Form form);

    friend bool operator==(const TypedStep &, const TypedStep &) = default;
};

// All of them. Rejected, with the number of the step.
[[nodiscard]] core::Result<records::Edit> editOf(const QList<TypedStep> &steps);

} // namespace models
