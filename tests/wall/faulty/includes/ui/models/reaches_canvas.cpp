#include "canvas/cells.h"
