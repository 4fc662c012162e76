/* The critical path of a run, found backwards from an end to time 0: what the operation waited for, what the holder of
 * that waited for, and so on. The parts follow each other without holes, so their lengths add up to the end exactly. */
#ifndef WHATIF_CRITICAL_PATH_H
#define WHATIF_CRITICAL_PATH_H

#include "base/vec.h"
#include "whatif/wait_label.h"

typedef struct path_part {
    size_t run_op;       /* the operation whose time it is: index in run->ops */
    uint32_t op, job;    /* its op, as an index in the workload, and its job */
    wait_label label;    /* what the time is, in few words */
    gcast_reason reason; /* the rule behind it */
    int64_t from_ns, to_ns;
} path_part;

typedef struct critical_path {
    VEC(path_part) parts; /* in order of time, from 0 to the end; parts without length are left out */
    int64_t by_label[WAIT_LABELS];
    int64_t end_ns;
} critical_path;

/* Can the path be found? Not in a run that hangs; and without blocks not where kernels are programmatic, as their
 * triggers are unknown. */
bool critical_path_exists(const gcast_run *run);
/* Finds the path to the end of the operation `last`; the run must not hang. In a run without blocks the path is coarse:
 * a kernel counts as work from its start on. To be freed, also where it fails. */
gcast_status critical_path_find(const gcast_run *run, size_t last, critical_path *path, gcast_error *err);
/* The same without shortcuts: every operation is explained in full. For tests. */
gcast_status critical_path_find_slowly(const gcast_run *run, size_t last, critical_path *path, gcast_error *err);
void critical_path_free(critical_path *path);

/* The operation that ends the run, one on the GPU if there is one; SIZE_MAX: nothing ran. */
size_t critical_path_last(const gcast_run *run);

#endif
