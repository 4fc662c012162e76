/* The way back from an end to time 0: what the operation waited for, who that was, what that one waited for, and so on.
 * Its parts follow each other without holes, so that they add up to the end to the nanosecond. */
#ifndef WHATIF_PATH_CRITICAL_PATH_H
#define WHATIF_PATH_CRITICAL_PATH_H

#include "base/vec.h"
#include "whatif/path/wait_label.h"

typedef struct path_part {
    size_t run_op;       /* whose time it is: index in run->ops */
    uint32_t op, job;    /* what that executes: index in the workload's ops, and its job */
    wait_label label;    /* what it is, in few words */
    gcast_reason reason; /* and by which rule */
    int64_t from_ns, to_ns;
} path_part;

typedef struct critical_path {
    VEC(path_part) parts; /* in order of time, from 0 to the end; parts without length are left out */
    int64_t by_label[WAIT_LABELS];
    int64_t end_ns;
} critical_path;

/* Can it be found? In a run without its blocks not where kernels are programmatic, as it is not known when they
 * trigger. */
bool critical_path_exists(const gcast_run *run);
/* From the end of the operation `last`; the run must not hang. Without its blocks it is coarse: a kernel that has
 * started is at work. To be freed, also where it fails. */
gcast_status critical_path_find(const gcast_run *run, size_t last, critical_path *path, gcast_error *err);
/* The same, with every operation explained in full: for tests. */
gcast_status critical_path_find_slowly(const gcast_run *run, size_t last, critical_path *path, gcast_error *err);
void critical_path_free(critical_path *path);

/* The operation of which the end is the end of the run, on the GPU if there is one; SIZE_MAX: nothing ran. */
size_t critical_path_last(const gcast_run *run);

#endif
