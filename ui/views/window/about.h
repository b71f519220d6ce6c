#pragma once

class QWidget;

namespace shardrack {

/// Version, licence and what the program stands on.
void showAbout(QWidget* parent);
/// Every gesture with the keys that do the same.
void showKeys(QWidget* parent);

} // namespace shardrack
