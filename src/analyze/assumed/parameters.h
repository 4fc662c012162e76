/* Numbers of a GPU that lengthen responses, and how far they are moved where they are assumed. */
#ifndef ANALYZE_ASSUMED_PARAMETERS_H
#define ANALYZE_ASSUMED_PARAMETERS_H

#include "gridcast/analyze.h"

#define ASSUMED_TIMES 10 /* the largest factor that is looked at */
#define ASSUMED_MAX 40   /* there are not more of these numbers; of a count fewer and more are two */
#define ASSUMED_VALUES 6 /* values that are tried of one number, bisection aside */

/* Lists those that are assumed and count for the workload; returns their number. */
size_t assumed_parameters(const gcast_workload *w, const gcast_gpu *gpu, gcast_assumed found[ASSUMED_MAX]);
/* Not of a count: its value moved by a factor from 2 to ASSUMED_TIMES: multiplied, or divided where it is moved
 * downward, or that many microseconds where it is 0; at most as far as its range goes. */
int64_t assumed_moved(const gcast_assumed *p, int times);
/* The values that are tried, the farthest first; returns their number. Of a count *all: there are no others that differ
 * for the workload. */
size_t assumed_values(const gcast_workload *w, const gcast_assumed *p, int64_t values[ASSUMED_VALUES], bool *all);
/* A value between the limit, which held, and one that failed, with two digits; the limit: there is none. */
int64_t assumed_between(const gcast_assumed *p, int64_t failed);
/* Sets a number, and another one where it has an effect only with that. */
void assumed_put(gcast_gpu *gpu, const char *field, int64_t value);
/* The same, so that what bound says holds for all values between, too: a longer gap of streams may be better than one
 * that is shorter than hand-over or the gap of copies, so these are moved with it. */
void assumed_set(gcast_gpu *gpu, const char *field, int64_t value);
/* The same of all these but counts, each at its limit. */
void assumed_set_limits(gcast_gpu *gpu, const gcast_assumed *p, size_t count);
/* Moves all but counts by a factor; false: there are none. */
bool assumed_move_all(const gcast_workload *w, gcast_gpu *gpu, int times);

#endif
