#pragma once
  #  include "site/site.h"
#include "site.h"
#include <base/bytes.h>
#include "nowhere/thing.h"
