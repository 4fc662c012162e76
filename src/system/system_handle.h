/* What the handles of gridcast/system.h hold. */
#ifndef SYSTEM_SYSTEM_HANDLE_H
#define SYSTEM_SYSTEM_HANDLE_H

#include "amalthea/amalthea.h"
#include "analyze/system/system_analysis.h"
#include "gridcast/system.h"
#include "model/system_answer.h"
#include "model/system_given.h"
#include "model/system_run.h"

struct gcast_system {
    am_model *model;  /* as read */
    gcast_gpu *gpu;   /* a copy of the caller's; NULL: none is given */
    sys_given *given; /* what the caller's options and file say about the model */
    sys_system *s;    /* the model as a system; NULL after system_read_model */
};

struct gcast_system_answer {
    sys_answer *answer;
    const sys_search *search;       /* the search that found the mapping, which outlives the answer; NULL: none */
    gcast_deadline_verdict verdict; /* of all deadlines and limits together */
    char *why;                      /* what is not met, or the condition; "" */
};

struct gcast_system_run {
    sys_run *run;
};

/* gcast_system_read; `searched`: a search will put tasks elsewhere, and what is assumed must hold there, too. */
gcast_status system_open(const char *const *paths, size_t count, const gcast_system_options *options, bool searched,
                         gcast_system **x, gcast_error *err);
/* gcast_system_read, but no system is made of the model. */
gcast_status system_read_model(const char *const *paths, size_t count, const gcast_system_options *options,
                               gcast_system **x, gcast_error *err);

/* Checks public options of an analysis, and makes the analysis's own of them. */
gcast_status system_analyze_options_take(const gcast_system_analyze_options *given, sys_analyze_options *out,
                                         gcast_error *err);
/* Takes over an answer, also on failure: compares it with executions, and finds its verdict. `search` may be NULL. */
gcast_status system_answer_take(sys_answer *answer, bool ignore_offsets, const sys_search *search,
                                gcast_system_answer **out, gcast_error *err);

/* The verdict of an answer, and a line that names tasks, chains and limits; it is the caller's. NULL without memory. */
char *system_verdict(const sys_answer *answer, gcast_deadline_verdict *verdict);

/* Are the options possible, whatever the model? */
gcast_status model_options_check(const gcast_system_options *options, gcast_error *err);
/* Puts what the options say into `given`; GCAST_USAGE names the option that does not fit the model in its path. */
gcast_status model_options_apply(const gcast_system_options *options, const am_model *model, sys_given *given,
                                 gcast_error *err);

/* Names the model in an error without a file. Returns the status. */
gcast_status system_error_in(const sys_system *s, gcast_status status, gcast_error *err);

#endif
