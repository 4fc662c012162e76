/* The tables of an analysis of a system: filled here, written as text or HTML elsewhere. */
#ifndef REPORT_SYSTEM_SYSTEM_GRIDS_H
#define REPORT_SYSTEM_SYSTEM_GRIDS_H

#include "model/system_answer.h"
#include "report/grid.h"

typedef struct sys_grid {
    grid g;
    grid_column columns[GRID_COLUMNS + 1];
    char first_title[48]; /* says the unit */
} sys_grid;

/* Opens the grid; the first column has `title` and the unit of times. */
void sys_grid_open(sys_grid *t, const grid_column *columns, const char *title, time_format f);

/* These grids are closed with grid_close(&t->g). Without memory the grid has failed. */

/* Tasks by core: period, best, worst, deadline, verdict, what limits it. */
void grid_of_tasks(sys_grid *t, const sys_answer *a);
/* What worst times are made of. */
void grid_of_parts(sys_grid *t, const sys_answer *a);
/* Copies and kernels. */
void grid_of_gpu_ops(sys_grid *t, const sys_answer *a);
/* All steps of tasks on cores. */
void grid_of_steps(sys_grid *t, const sys_answer *a);
/* Latencies of chains, a row for each communication; that of the communication asked for has the verdict. */
void grid_of_chains(sys_grid *t, const sys_answer *a, gcast_communication asked);
/* Limits that are neither deadlines nor of chains, and whether they are kept. */
void grid_of_limits(sys_grid *t, const sys_answer *a);

#endif
