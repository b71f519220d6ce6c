#include "input.h"
#include "plan/plan.h"
#include "document/plan_document.h"
#include <QCoreApplication>
