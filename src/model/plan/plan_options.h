/* What gcast_plan_make refuses before it makes anything. */
#ifndef MODEL_PLAN_PLAN_OPTIONS_H
#define MODEL_PLAN_PLAN_OPTIONS_H

#include "gridcast/plan.h"

gcast_status plan_options_check(const gcast_plan_options *options, gcast_error *err);

#endif
