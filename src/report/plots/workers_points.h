/* Throughput over workers per SM: what the table, the files and the picture have in common. */
#ifndef REPORT_PLOTS_WORKERS_POINTS_H
#define REPORT_PLOTS_WORKERS_POINTS_H

#include "gridcast/report.h"

#define WORKERS_ENOUGH_PERMILLE 950   /* of the best throughput: as good as the best */
#define WORKERS_MAX_PERMILLE 10000000 /* throughput is cut off here */

typedef struct workers_points {
    const gcast_workers_curve *curve; /* checked */
    double best_ns;                   /* the shortest measured time, or without one the shortest predicted time */
    uint32_t enough;                  /* as of gcast_workers_enough */
    uint32_t best;                    /* the workers of the shortest measured time; 0: nothing was measured */
} workers_points;

/* Throughput of a time of the curve, in thousandths of the best one. -1: the time is not known. */
static inline int64_t workers_permille(const workers_points *p, double ns)
{
    if (ns <= 0)
        return -1;
    double permille = p->best_ns * 1000 / ns + 0.5;
    return permille < WORKERS_MAX_PERMILLE ? (int64_t)permille : WORKERS_MAX_PERMILLE;
}

#endif
