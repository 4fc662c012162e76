/* The names of operations in pictures. */
#ifndef REPORT_TIMELINE_OP_NAME_H
#define REPORT_TIMELINE_OP_NAME_H

#include "gridcast/run.h"
#include "report/canvas/font.h"

/* "K1"; "detect#3" for an operation of a job, or for a child by its call number; for a rest the name of its kernel.
 * Returns out. */
char *timeline_name(const gcast_run *run, size_t op, char out[LABEL_SIZE]);

#endif
