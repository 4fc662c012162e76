/* Throughput over workers per SM: what its writers share, and the picture. */
#ifndef REPORT_PLOTS_WORKERS_REPORT_H
#define REPORT_PLOTS_WORKERS_REPORT_H

#include "gridcast/report.h"
#include "report/canvas/canvas.h"

#define WORKERS_ENOUGH_PERMILLE 950   /* of the best throughput: as good as the best */
#define WORKERS_MAX_PERMILLE 10000000 /* throughput is cut off here */

/* How long a launch of an SM-centric kernel takes with so many workers on each SM, measured and predicted. */
typedef struct gcast_workers_curve {
    const char *gpu;            /* its title */
    const char *kernel;         /* for the heading */
    uint32_t sms;               /* that work */
    size_t count;               /* of points, at least 1 */
    const uint32_t *workers;    /* by point: per SM; ascending, from 1 on */
    const double *measured_ns;  /* by point: of a launch; 0: not known */
    const double *predicted_ns; /* by point; 0: not known */
} gcast_workers_curve;

typedef struct workers_points {
    const gcast_workers_curve *curve; /* checked */
    double best_ns;                   /* the shortest measured time, or without one the shortest predicted time */
    uint32_t enough;                  /* what gcast_workers_enough says */
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

/* Draws what was measured as a line with points, what was predicted as a dashed line, and the least number of workers
 * that is enough. For the caller to free; NULL without memory. */
canvas *workers_canvas(const workers_points *points);

/* The least number of workers per SM whose measured throughput is at least 95 % of the best one; 0: nothing was
 * measured. */
uint32_t gcast_workers_enough(const gcast_workers_curve *curve);

/* Throughput over workers per SM, relative to the best measured one; where nothing is measured, to the best predicted
 * one. Formats: TABLE, CSV, JSON (gridcast.workers/1), SVG, PNG, PDF. */
gcast_status gcast_workers_report(const gcast_workers_curve *curve, gcast_format format, gcast_write_fn write,
                                  void *data, gcast_error *err);

#endif
