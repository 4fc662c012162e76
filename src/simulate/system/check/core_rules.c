/* A sweep over the slices of a core and the spans in which its tasks wait for it. Waiting tasks are bits in the order
 * of their priorities, so that the first of them is found in a few words. */
#include "simulate/system/check/core_rules.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "simulate/system/check/job_rules.h"

typedef struct sweep {
    const sys_run *run;
    gcast_error *err;
    int *by_rank;             /* tasks, the highest priority first */
    uint32_t *rank;           /* by task: its place in by_rank */
    uint32_t *level;          /* by task: how many priorities are higher; equal ones have the same */
    uint64_t *waiting;        /* by rank */
    int64_t *until_ns;        /* by task: when the span ends in which it waits */
    size_t words;             /* of waiting */
    size_t count;             /* tasks that wait */
    const sys_slice *running; /* NULL */
} sweep;

static int compare_places(const sys_run *run, int a, int b)
{
    bool a_isr = run->of->tasks[a].isr, b_isr = run->of->tasks[b].isr;
    if (a_isr != b_isr)
        return a_isr ? -1 : 1;
    int64_t x = run->places[a].priority, y = run->places[b].priority;
    return (x < y) - (x > y);
}

/* Merge sort by priority, stable; `other` is scratch. */
static void sort_tasks(const sys_run *run, int *list, int *other, size_t n)
{
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t lo = 0; lo < n; lo += 2 * width) {
            size_t mid = min_size(lo + width, n), hi = min_size(lo + 2 * width, n), a = lo, b = mid;
            for (size_t k = lo; k < hi; k++)
                other[k] = a < mid && (b == hi || compare_places(run, list[a], list[b]) <= 0) ? list[a++] : list[b++];
        }
        for (size_t k = 0; k < n; k++)
            list[k] = other[k];
    }
}

static gcast_status sweep_init(sweep *x)
{
    size_t n = x->run->of->task_count;
    int *scratch = malloc((n + 1) * sizeof *scratch);
    x->words = n / 64 + 1;
    x->by_rank = malloc((n + 1) * sizeof *x->by_rank);
    x->rank = malloc((n + 1) * sizeof *x->rank);
    x->level = malloc((n + 1) * sizeof *x->level);
    x->waiting = calloc(x->words, sizeof *x->waiting);
    x->until_ns = malloc((n + 1) * sizeof *x->until_ns);
    bool ok = scratch && x->by_rank && x->rank && x->level && x->waiting && x->until_ns;
    for (size_t i = 0; ok && i < n; i++)
        x->by_rank[i] = (int)i;
    if (ok)
        sort_tasks(x->run, x->by_rank, scratch, n);
    for (size_t r = 0; ok && r < n; r++) {
        int task = x->by_rank[r];
        bool same = r && compare_places(x->run, x->by_rank[r - 1], task) == 0;
        x->rank[task] = (uint32_t)r;
        x->level[task] = same ? x->level[x->by_rank[r - 1]] : (uint32_t)r;
    }
    free(scratch);
    return ok ? GCAST_OK : gcast_error_set_memory(x->err);
}

static void sweep_free(sweep *x)
{
    free(x->by_rank);
    free(x->rank);
    free(x->level);
    free(x->waiting);
    free(x->until_ns);
}

/* The first rank from `from` on whose task waits; SIZE_MAX: none. */
static size_t next_waiting(const sweep *x, size_t from)
{
    for (size_t word = from / 64; word < x->words; word++) {
        uint64_t bits = x->waiting[word];
        if (word == from / 64)
            bits &= ~UINT64_C(0) << from % 64;
        if (bits)
            return word * 64 + (size_t)__builtin_ctzll(bits);
    }
    return SIZE_MAX;
}

static void set_waiting(sweep *x, int task, bool waits)
{
    uint32_t rank = x->rank[task];
    uint64_t bit = UINT64_C(1) << rank % 64;
    x->count += waits ? !(x->waiting[rank / 64] & bit) : -(size_t) !!(x->waiting[rank / 64] & bit);
    if (waits)
        x->waiting[rank / 64] |= bit;
    else
        x->waiting[rank / 64] &= ~bit;
}

static const sys_job *job_of(const sweep *x, const sys_slice *s)
{
    return &x->run->jobs[s->job];
}

/* A task of higher priority than the running one waits. */
static bool higher_waits(const sweep *x)
{
    size_t first = next_waiting(x, 0);
    return first != SIZE_MAX && x->level[x->by_rank[first]] < x->level[job_of(x, x->running)->task];
}

/* The job of a task that waits at this time. */
static const sys_job *waiting_job(const sweep *x, int task, const uint32_t *current)
{
    return &x->run->jobs[current[task]];
}

/* Of equal priorities, the one that was released first comes first. */
static bool equal_is_first(const sweep *x, const uint32_t *current)
{
    const sys_job *own = job_of(x, x->running);
    for (size_t r = next_waiting(x, x->level[own->task]); r != SIZE_MAX; r = next_waiting(x, r + 1)) {
        int task = x->by_rank[r];
        if (x->level[task] != x->level[own->task])
            return false;
        int64_t release = waiting_job(x, task, current)->release_ns;
        if (release < own->release_ns || (release == own->release_ns && task < own->task))
            return true;
    }
    return false;
}

/* A slice starts. `before`: the slice before it on the core. */
static gcast_status check_start(const sweep *x, const sys_slice *before, const uint32_t *current)
{
    const sys_slice *s = x->running;
    const sys_job *job = job_of(x, s);
    bool goes_on = before && before->job == s->job && before->end_ns == s->start_ns;
    bool same_row = goes_on && !before->waits && !s->waits;
    sys_preemption preemption = x->run->of->tasks[job->task].preemption;
    if (!(same_row && preemption == SYS_NON_PREEMPTIVE) && higher_waits(x))
        return job_broken(x->run, job, "it gets its core while one of higher priority waits", x->err);
    if (!goes_on && equal_is_first(x, current))
        return job_broken(x->run, job, "it gets its core before one of its priority that was released first", x->err);
    return GCAST_OK;
}

/* Between events. */
static gcast_status check_between(const sweep *x, int core)
{
    if (!x->count)
        return GCAST_OK;
    if (!x->running)
        return gcast_error_set(x->err, GCAST_INTERNAL, NULL, "task %s waits while core %s is idle",
                               x->run->of->tasks[x->by_rank[next_waiting(x, 0)]].name, x->run->of->cores[core].name);
    const sys_job *job = job_of(x, x->running);
    bool preemptible = x->running->waits || x->run->of->tasks[job->task].preemption == SYS_PREEMPTIVE;
    return preemptible && higher_waits(x)
               ? job_broken(x->run, job, "it runs while one of higher priority waits", x->err)
               : GCAST_OK;
}

/* Spans that end by `time`. */
static void end_spans(sweep *x, int64_t time)
{
    for (size_t r = next_waiting(x, 0); r != SIZE_MAX; r = next_waiting(x, r + 1))
        if (x->until_ns[x->by_rank[r]] <= time)
            set_waiting(x, x->by_rank[r], false);
}

static int64_t first_until(const sweep *x)
{
    int64_t t = INT64_MAX;
    for (size_t r = next_waiting(x, 0); r != SIZE_MAX; r = next_waiting(x, r + 1))
        t = min_i64(t, x->until_ns[x->by_rank[r]]);
    return t;
}

static gcast_status sweep_core(sweep *x, int core, const sys_slice *const *slices, size_t slice_count,
                               const wait_span *spans, size_t span_count, uint32_t *current)
{
    size_t s = 0, w = 0;
    gcast_status status = GCAST_OK;
    const sys_slice *before = NULL;
    while ((s < slice_count || w < span_count || x->count || x->running) && status == GCAST_OK) {
        int64_t time = first_until(x);
        time = min_i64(time, s < slice_count ? slices[s]->start_ns : INT64_MAX);
        time = min_i64(time, w < span_count ? spans[w].start_ns : INT64_MAX);
        time = min_i64(time, x->running ? x->running->end_ns : INT64_MAX);
        end_spans(x, time);
        if (x->running && x->running->end_ns <= time) {
            before = x->running;
            x->running = NULL;
        }
        if (s < slice_count && slices[s]->start_ns == time) {
            if (x->running)
                return job_broken(x->run, job_of(x, slices[s]), "it runs while another task has its core", x->err);
            x->running = slices[s++];
            status = check_start(x, before, current);
        }
        for (; w < span_count && spans[w].start_ns == time; w++) {
            x->until_ns[spans[w].task] = spans[w].end_ns;
            current[spans[w].task] = spans[w].job;
            set_waiting(x, spans[w].task, true);
        }
        if (status == GCAST_OK)
            status = check_between(x, core);
    }
    return status;
}

static int by_core(const void *a, const void *b)
{
    const wait_span *x = a, *y = b;
    if (x->core != y->core)
        return x->core < y->core ? -1 : 1;
    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* The slices of each core, by start; those of core c begin at first[c]. */
static void group_slices(const sys_run *run, size_t *first, const sys_slice **list)
{
    for (size_t i = 0; i < run->slice_count; i++)
        if (run->slices[i].core >= 0)
            first[run->slices[i].core + 2]++;
    for (size_t c = 0; c < run->of->core_count; c++)
        first[c + 2] += first[c + 1];
    for (size_t i = 0; i < run->slice_count; i++)
        if (run->slices[i].core >= 0)
            list[first[run->slices[i].core + 1]++] = &run->slices[i];
}

gcast_status core_rules_check(const sys_run *run, wait_spans *spans, gcast_error *err)
{
    sweep x = {.run = run, .err = err};
    size_t *first = calloc(run->of->core_count + 3, sizeof *first), at = 0;
    const sys_slice **list = malloc((run->slice_count + 1) * sizeof *list);
    uint32_t *current = calloc(run->of->task_count + 1, sizeof *current);
    gcast_status status = first && list && current ? sweep_init(&x) : gcast_error_set_memory(err);
    if (status == GCAST_OK) {
        group_slices(run, first, list);
        if (spans->spans.count)
            qsort(spans->spans.at, spans->spans.count, sizeof *spans->spans.at, by_core);
    }
    for (size_t c = 0; c < run->of->core_count && status == GCAST_OK; c++) {
        size_t from = at;
        while (at < spans->spans.count && spans->spans.at[at].core == (int)c)
            at++;
        status = sweep_core(&x, (int)c, &list[first[c]], first[c + 1] - first[c],
                            at > from ? &spans->spans.at[from] : NULL, at - from, current);
    }
    free(first);
    free(list);
    free(current);
    sweep_free(&x);
    return status;
}
