#include "views/main_window.h"
#include "options.h"
#include <QApplication>
