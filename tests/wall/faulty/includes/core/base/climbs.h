#pragma once
#include "../site/site.h"
#include "base/../site/site.h"
