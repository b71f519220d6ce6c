#include "commands/move.h"
#include <QPainter>
#include <QPrinter>
#include "bars.moc"
