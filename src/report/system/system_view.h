/* The options of reports on a system. */
#ifndef REPORT_SYSTEM_SYSTEM_VIEW_H
#define REPORT_SYSTEM_SYSTEM_VIEW_H

#include "gridcast/report.h"
#include "model/system_answer.h"

typedef struct sys_report_options {
    gcast_report_options report;       /* colour of tables; time, SMs, width and folding of pictures */
    bool all;                          /* tables: what worst times are made of, and every step */
    gcast_communication communication; /* for which chains have verdicts */
    const char *command;               /* the command line that asked for the report; NULL: none */
    const sys_search *search;          /* the search that found the analyzed mapping; NULL: there was none */
} sys_report_options;

static inline sys_report_options system_report_options_default(void)
{
    return (sys_report_options){.report = gcast_report_options_default(),
                                .communication = GCAST_COMMUNICATION_IMPLICIT};
}

#endif
