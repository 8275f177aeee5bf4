#pragma once

#include "backend/core/result.h"
#include "backend/records/editing/edit.h"

#include <QCoreApplication>

namespace models {

// One step of an edit as a person typed it into a row of fields. A value; any thread.
struct TypedStep
{
    Q_DECLARE_TR_FUNCTIONS(TypedStep)

public:
    // The type of the value: text, integer, number or true/false for a header; text or JSON for a JSON value.
    enum class Form { Text, Integer, Number, Truth, Json };

    records::EditStep::Do what = records::EditStep::Do::SetHeader;
    QString name; // in the form of editabletext.h
    QString text;
    Form form = Form::Text;
    QByteArray body; // for SetBody, which has no fields
    bool whereThere = false;

    [[nodiscard]] static TypedStep of(const records::EditStep &step);
    // The step. Rejected: the typed value is not of its form.
    [[nodiscard]] core::Result<records::EditStep> step() const;

    // ---- texts of the fields ----
    [[nodiscard]] static QString title(records::EditStep::Do what); // "Set header"
    [[nodiscard]] static QString nameHint(records::EditStep::Do what); // hint in the empty first field
    [[nodiscard]] static QString textHint(records::EditStep::Do what); // of the second field; empty: there is none
    [[nodiscard]] static QList<Form> forms(records::EditStep::Do what); // empty: there is no choice
    [[nodiscard]] static QString textOf(Form form);

    friend bool operator==(const TypedStep &, const TypedStep &) = default;
};

// The edit with all these steps. An error of a step names its number; Rejected: a typed value is not of its form.
[[nodiscard]] core::Result<records::Edit> editOf(const QList<TypedStep> &steps);

} // namespace models
