/* Can a workload hang? Blocks that wait for other blocks keep their room on the SMs while they wait. */
#ifndef GRIDCAST_RESIDENCY_H
#define GRIDCAST_RESIDENCY_H

#include "gridcast/gpu.h"
#include "gridcast/report.h"
#include "gridcast/workload.h"

GCAST_BEGIN_DECLS

/* id, name */
#define GCAST_HANG_TABLE(X)                                                                                            \
    X(SAFE, "safe")         /* proven: no schedule hangs */                                                            \
    X(SAFE_IF, "safe if")   /* proven on conditions */                                                                 \
    X(MAY_HANG, "may hang") /* neither proven nor seen */                                                              \
    X(HANGS, "hangs")       /* a schedule that hangs is known */

typedef enum {
#define GCAST_X(id, name) GCAST_HANG_##id,
    GCAST_HANG_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_HANG_VERDICTS
} gcast_hang_verdict;

typedef struct gcast_residency gcast_residency; /* the answer */

/* Proves that no schedule of the workload hangs, or searches one that does (docs/residency.md). `gpu` NULL: the
 * workload's. The workload must outlive *r. GCAST_INPUT: the proof does not cover it. GCAST_INTERNAL: a simulation
 * contradicts the proof. */
GCAST_API gcast_status gcast_workload_find_hangs(const gcast_workload *w, const gcast_gpu *gpu, gcast_residency **r,
                                                 gcast_error *err);
GCAST_API void gcast_residency_free(gcast_residency *r);

/* GCAST_HANG_MAY_HANG for NULL. */
GCAST_API gcast_hang_verdict gcast_residency_verdict(const gcast_residency *r);
/* The condition with this number, from 0, in words; NULL: there are fewer. Only "safe if" has any. */
GCAST_API const char *gcast_residency_condition(const gcast_residency *r, size_t number);
/* A schedule that hangs, as a workload that belongs to `r`; NULL: none is known. */
GCAST_API const gcast_workload *gcast_residency_witness(const gcast_residency *r);

/* Writes verdict, conditions, what waits for what, and changes that are proven to be safe. Formats: TABLE, JSON
 * (gridcast.residency/1). */
GCAST_API gcast_status gcast_residency_report(const gcast_residency *r, gcast_format format, gcast_write_fn write,
                                              void *data, gcast_error *err);

GCAST_END_DECLS

#endif
