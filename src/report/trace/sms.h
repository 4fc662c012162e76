/* A process per SM: its blocks, in lanes in which no two overlap, and the threads in use. */
#ifndef REPORT_TRACE_SMS_H
#define REPORT_TRACE_SMS_H

#include "report/trace/state.h"

gcast_status chrome_sms(chrome *c, gcast_error *err);

#endif
