/* What is shown of a system. */
#ifndef REPORT_SYSTEM_SYSTEM_VIEW_H
#define REPORT_SYSTEM_SYSTEM_VIEW_H

#include "gridcast/report.h"
#include "model/system/system_answer.h"
#include "model/system/system_search.h"

typedef struct sys_report_options {
    gcast_report_options report;     /* colour of tables; time, SMs, width and folding of pictures */
    bool all;                        /* tables: what worst times are made of, and every step */
    sys_communication communication; /* that the verdicts of chains are for */
    const char *command;             /* that asked for it, as typed; NULL: none */
    const sys_search *search;        /* the analysis is of the mapping that it found; NULL: there was none */
} sys_report_options;

static inline sys_report_options system_report_options_default(void)
{
    return (sys_report_options){.report = gcast_report_options_default(), .communication = SYS_IMPLICIT};
}

#endif
