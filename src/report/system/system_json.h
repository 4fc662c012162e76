/* An analysis of a system as gridcast.system/1 (docs/formats.md). */
#ifndef REPORT_SYSTEM_SYSTEM_JSON_H
#define REPORT_SYSTEM_SYSTEM_JSON_H

#include "base/text.h"
#include "report/system/system_view.h"

void system_json(const sys_answer *a, const sys_report_options *options, text *out);

#endif
