#pragma once
#include "trace/step_trace.h"
#include "layout/layout.h"
#include "base/bytes.h"
#include "plan/plan.h"
