#pragma once
#include "canvas/cells.h"
#include "lessons/dock.h"
