/* Names and phrases of a system that its tables, JSON and pictures share. */
#ifndef REPORT_SYSTEM_SYSTEM_WORDS_H
#define REPORT_SYSTEM_SYSTEM_WORDS_H

#include "base/text.h"
#include "model/system_answer.h"
#include "report/grid.h"

#define TASK_COLUMNS 30 /* the most that the name of a task takes in a table */

/* "stimulus" or "change"; and what that means. */
const char *system_reaction_name(gcast_reaction from);
const char *system_reaction_words(gcast_reaction from);
/* The name of a core, or "GPU". */
const char *system_place_name(const sys_system *s, int core);
/* "periodic", "sporadic", "once" or "triggered". */
const char *system_arrival_name(const sys_task *task);
/* What a step on the GPU is: "h2d", "d2h", "d2d" or "kernel". */
const char *system_op_words(const gcast_op *op);
/* "met", "missed", ...; "no bound" where there is no deadline, and no bound either. */
const char *system_verdict_words(const sys_task_answer *t);
/* What most of a worst time is: "own code", "waits for SFM", "DASM", ...; text that must be escaped. */
void system_limit_words(const sys_answer *a, size_t task, char *out, size_t size);
/* What a limit is on: "response of A", "runnable R", "E to F"; text that must be escaped. */
void system_limited_words(const sys_limit *l, char *out, size_t size);
/* What a finding is: "doubtful", "condition", "not checked", "approximated", some of these, or "note". */
void system_finding_words(const sys_finding *f, char *out, size_t size);
/* The indices of findings in the order of reports: doubtful, condition, not checked, approximated, note. For the caller
 * to free; NULL without memory. */
size_t *system_finding_order(const sys_system *s);
/* "WATERS: 12 tasks on 6 cores and a GPU (tx2)" */
void system_title(const sys_system *s, text *out);
/* "gridcast 1.2.3: gridcast analyze car.amxmi; CRC-32 of car.amxmi 0123abcd"; text that must be escaped. */
void system_made_by(const sys_system *s, const char *command, text *out);
/* "7 of 9 deadlines met, 1 missed, 1 open; 2 of 2 limits of chains met; 1 of 1 other limits met; 3 requirements are not
 * checked" */
void system_summary(const sys_answer *a, text *out);
/* Tasks in the order of tables: by core, the GPU last, by priority. For the caller to free; NULL without memory. */
size_t *system_task_order(const sys_system *s, const sys_place *places);

/* The period that is shown: 0 for a task that runs once, whose cell says so. */
int64_t system_shown_period(const sys_system *s, size_t task);
void system_period_cell(grid *g, int column, const sys_system *s, size_t task, time_format f);
/* The options of `gridcast simulate` that repeat an execution that was tried. */
void system_tried_words(const sys_tried *tried, char *words, size_t size);

/* A format for bounds up to `longest`: to the microsecond where they are long. */
time_format bound_format(int64_t longest);
void bound_include(time_format *f, int64_t ns);
/* Bounds as cells: a worst time is rounded up and a best one down; a dash where there is none. */
void bound_worst(grid *g, int column, int64_t ns, time_format f);
void bound_best(grid *g, int column, int64_t ns, time_format f);

#endif
