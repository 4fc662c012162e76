/* When the blocks of a launch ran on a GPU: a line per block, and the spread of each run. */
#ifndef REPORT_EXEC_TIMES_H
#define REPORT_EXEC_TIMES_H

#include "base/text/text.h"
#include "gridcast/exec.h"

void exec_times_table(const gcast_block_times *b, text *out);
void exec_times_json(const gcast_block_times *b, text *out);

#endif
