/* What becomes of a recording: the one place where `gridcast record` and `gridcast import` meet. */
#ifndef CLI_RECORD_RECORDED_RESULT_H
#define CLI_RECORD_RECORDED_RESULT_H

#include "cli/import/import_trace.h"

/* Prints what was recorded, and writes what options ask for. Errors are printed. */
gcast_status recorded_result(importing *x, const prof_trace *t);

#endif
