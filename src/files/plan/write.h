/* Plans inside of other files, as gridcast.plan/1. */
#ifndef FILES_PLAN_WRITE_H
#define FILES_PLAN_WRITE_H

#include "base/text/text.h"
#include "gridcast/plan.h"

/* On one line. */
void plan_write_inline(text *t, const gcast_plan *plan);

#endif
