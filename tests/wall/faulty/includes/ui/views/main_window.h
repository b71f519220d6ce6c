#pragma once
#include "models/table_model.h"
#include "paint/bars.h"
#include "lessons/dock.h"
#include <QMainWindow>
#include <qcustomplot.h>
