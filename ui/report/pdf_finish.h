#pragma once

#include "base/result.h"
#include "report/layout.h"

#include <QByteArray>

namespace shardrack {

/// Adds to a PDF what its writer cannot: document outline, links between pages, language, metadata
/// (author, subject, keywords), the title in the window's head, a place for the outline. The file
/// says the same every time it is made from the same input, apart from its date. Fails when the PDF
/// is not readable.
Result<QByteArray> finishPdf(const QByteArray& pdf, const LaidOutReport& report);

} // namespace shardrack
