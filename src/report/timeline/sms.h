/* Rows of SMs: block by block where a person can tell blocks apart, else as areas; where there are too many kernels for
 * areas, an overview of the threads in use. */
#ifndef REPORT_TIMELINE_SMS_H
#define REPORT_TIMELINE_SMS_H

#include "report/timeline/state.h"

gcast_status timeline_add_sms(timeline *t, gcast_error *err);

#endif
