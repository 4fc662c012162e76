/* Operations of a run: their names, and how many blocks they have. */
#ifndef CLI_RUN_OPERATIONS_H
#define CLI_RUN_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gridcast/run.h"

#define OPERATION_NAME_SIZE 232

/* LABEL, or LABEL#JOB of a task; of a long label the first 200 characters. */
void operation_name(const gcast_run *run, size_t run_op, char name[OPERATION_NAME_SIZE]);
/* Have all operations together at most `max` blocks? */
bool blocks_at_most(const gcast_run *run, uint64_t max);

#endif
