/* An execution of a system as gridcast.system-run/1 (docs/formats.md). */
#ifndef REPORT_SYSTEM_EXECUTION_RUN_JSON_H
#define REPORT_SYSTEM_EXECUTION_RUN_JSON_H

#include "base/text/text.h"
#include "model/system/system_run.h"

/* False without memory. */
bool system_run_json(const sys_run *run, text *out);

#endif
