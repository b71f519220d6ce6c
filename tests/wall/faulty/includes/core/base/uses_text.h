#pragma once
#include <QString>
#include <QtCore/qglobal.h>
#include <qcustomplot.h>
