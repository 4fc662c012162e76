/* gcast_launch_phases_find: the phases of a kernel with children, from a run's series, and what limits the children. */
#include "report/plots/launch_phases.h"

#include <string.h>

#include "analyze/spawn/spawn_compare.h"
#include "base/integers.h"

#define AT_LIMIT 0.85 /* children that are on average above this part of a limit are held up by it */

/* Bins that lie wholly between two times; in the bins that the times are in, other kernels may run. */
typedef struct bin_range {
    int64_t first; /* the first of them */
    int64_t end;   /* one after the last */
} bin_range;

static bin_range bins_between(const gcast_launch_series *s, int64_t from_ns, int64_t to_ns)
{
    return (bin_range){div_up(from_ns, s->bin_ns), min_i64(to_ns / s->bin_ns, s->count)};
}

static double mean_of(const gcast_launch_series *s, gcast_series which, int64_t from_ns, int64_t to_ns)
{
    bin_range r = bins_between(s, from_ns, to_ns);
    double sum = 0;
    for (int64_t i = r.first; i < r.end; i++)
        sum += s->sum[which][i];
    return r.end > r.first ? sum / ((double)(r.end - r.first) * (double)s->bin_ns) : 0;
}

/* The start of the first bin that is not 0; -1 where there is none. */
static int64_t first_of(const gcast_launch_series *s, gcast_series which, int64_t from_ns, int64_t to_ns)
{
    bin_range r = bins_between(s, from_ns, to_ns);
    for (int64_t i = r.first; i < r.end; i++)
        if (s->sum[which][i] > 0)
            return i * s->bin_ns;
    return -1;
}

/* The end of the last bin that is not 0; from_ns where there is none. */
static int64_t last_of(const gcast_launch_series *s, gcast_series which, int64_t from_ns, int64_t to_ns)
{
    bin_range r = bins_between(s, from_ns, to_ns);
    for (int64_t i = r.end; i-- > r.first;)
        if (s->sum[which][i] > 0)
            return (i + 1) * s->bin_ns;
    return from_ns;
}

/* Do all children join hardware queues? */
static bool needs_queues(const gcast_run *run)
{
    const gcast_workload *w = run->workload;
    if (!run->gpu->child_queues || !run->gpu->child_forget)
        return run->gpu->child_queues != 0;
    for (size_t i = 0; i < w->op_count; i++)
        for (const gcast_launches *l = w->ops[i].launches; l; l = l->child->launches)
            if (l->stream == GCAST_CHILD_STREAM_OWN && l->wait != GCAST_CHILD_WAIT_TAIL)
                return false;
    return true;
}

kernel_limit launch_kernel_limit(const gcast_run *run)
{
    int queues = needs_queues(run) ? run->gpu->child_queues : 0, grids = run->gpu->limits.resident_grids;
    bool is_queues = queues && (!grids || queues <= grids);
    return (kernel_limit){is_queues ? queues : grids, is_queues ? "hardware queues" : "resident grids"};
}

/* What limits the children once the blocks of their parent have ended; "": nothing is known to. */
static const char *find_limit(const gcast_run *run, const gcast_launch_phases *p)
{
    const gcast_launch_series *s = run->series;
    int64_t from = max_i64(p->gone_ns, p->child_ns);
    double kernels = mean_of(s, GCAST_SERIES_CHILD_KERNELS, from, p->end_ns);
    double queued = mean_of(s, GCAST_SERIES_QUEUED, from, p->end_ns);
    double overhead = mean_of(s, GCAST_SERIES_OVERHEAD, from, p->end_ns);
    kernel_limit limit = launch_kernel_limit(run);
    if (p->child_ns < 0 || p->end_ns <= from)
        return "";
    if (limit.kernels && kernels >= AT_LIMIT * limit.kernels)
        return limit.name;
    if (queued >= 1)
        return "room on the SMs";
    return overhead >= 1 ? "launch overhead" : "";
}

bool gcast_launch_phases_find(const gcast_run *run, gcast_launch_phases *phases)
{
    if (!run || !phases)
        return false;
    const gcast_launch_series *s = run->series;
    memset(phases, 0, sizeof *phases);
    phases->child_ns = -1;
    phases->limit = "";
    int64_t longest = -1;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *o = &run->ops[i];
        if (!run->workload->ops[o->op].launches || o->start_ns < 0 || o->end_ns - o->start_ns <= longest)
            continue;
        longest = o->end_ns - o->start_ns;
        phases->op = i;
    }
    if (longest < 0 || !s || !s->count || s->bin_ns < 1)
        return false;
    const gcast_run_op *o = &run->ops[phases->op];
    phases->start_ns = o->start_ns;
    phases->end_ns = o->end_ns;
    phases->child_ns = first_of(s, GCAST_SERIES_CHILD_BLOCKS, o->start_ns, o->end_ns);
    phases->fewer_ns = o->dispatched_ns;
    phases->gone_ns = max_i64(o->dispatched_ns, last_of(s, GCAST_SERIES_PARENT_BLOCKS, o->start_ns, o->end_ns));
    phases->limit = find_limit(run, phases);
    return true;
}
