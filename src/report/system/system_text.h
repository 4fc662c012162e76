/* An analysis of a system as text for people. */
#ifndef REPORT_SYSTEM_SYSTEM_TEXT_H
#define REPORT_SYSTEM_SYSTEM_TEXT_H

#include "base/text.h"
#include "report/system/system_view.h"

void system_text(const sys_answer *a, const sys_report_options *options, text *out);

#endif
