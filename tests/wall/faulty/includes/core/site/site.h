#pragma once
#include "base/bytes.h"
#include "site/other.h"
#include "resources/resources.h"
