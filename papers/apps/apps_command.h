/* `gridcast spawn --app`: the applications of the SPAWN paper, which its options describe, as workloads. */
#ifndef PAPERS_APPS_APPS_COMMAND_H
#define PAPERS_APPS_APPS_COMMAND_H

#include "cli/args.h"

/* Are the options right that describe an application? Errors are printed, here and below. */
gcast_status apps_check(const args *a);
/* A benchmark or an application as a workload. */
gcast_status apps_open(const args *a, const char *name, gcast_workload **w);
/* Notes that steps of applications were timed on one GPU only. */
void apps_note(const args *a, const gcast_gpu *gpu);
/* The benchmarks that the paper compares; NULL after the last. */
const char *apps_paper_benchmark(size_t i);
/* Words for --app and beginnings of those for --input; NULL after the last. */
const char *apps_benchmark(size_t i);
const char *apps_input_form(size_t i);

#endif
