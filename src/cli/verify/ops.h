/* The table of one scenario, operation by operation. */
#ifndef CLI_VERIFY_OPS_H
#define CLI_VERIFY_OPS_H

#include "base/text/text.h"
#include "gridcast/run.h"

/* Starts and ends as predicted and as measured, both counted from the first start. False without memory. */
bool verify_op_table(text *t, const gcast_run *predicted, const gcast_run *measured, bool legend);

#endif
