/* What the cost model says about the blocks of a launch. */
#ifndef REPORT_EXEC_COST_H
#define REPORT_EXEC_COST_H

#include "base/text/text.h"
#include "gridcast/cost.h"

void exec_cost_table(const gcast_cost_summary *c, text *out);
void exec_cost_json(const gcast_cost_summary *c, text *out);

#endif
