/* system_run_check. It has its own code for the rules on purpose, apart from the code that executes systems. */
#include <stdlib.h>

#include "base/integers.h"
#include "simulate/system/job_rules.h"
#include "simulate/system/system_simulate.h"

/* On a core, one task runs at a time, and none waits while one of lower priority runs. A sweep goes over the slices of
 * the core and the spans in which its tasks wait. Waiting tasks are bits in the order of their priorities, so that the
 * first one is found in a few words. */

typedef struct sweep {
    const sys_run *run;
    gcast_error *err;
    int *by_rank;             /* tasks, the highest priority first */
    uint32_t *rank;           /* by task: its place in by_rank */
    uint32_t *level;          /* by task: the rank of the first task with its priority */
    uint64_t *waiting;        /* bit per rank: the task waits */
    int64_t *until_ns;        /* by task: when its wait ends */
    size_t words;             /* of waiting */
    size_t count;             /* how many tasks wait */
    const sys_slice *running; /* the slice at this time; NULL: the core is idle */
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

/* Does a task of higher priority than the running one wait? */
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

/* Does a task of the same priority wait whose job comes first: released earlier, or at the same time with a lower
 * index? */
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

/* Checks the start of a slice; `before`: the previous slice of the core. */
static gcast_status check_start(const sweep *x, const sys_slice *before, const uint32_t *current)
{
    const sys_slice *s = x->running;
    const sys_job *job = job_of(x, s);
    bool goes_on = before && before->job == s->job && before->end_ns == s->start_ns;
    bool in_one_piece = goes_on && !before->waits && !s->waits;
    sys_preemption preemption = x->run->of->tasks[job->task].preemption;
    if (!(in_one_piece && preemption == SYS_NON_PREEMPTIVE) && higher_waits(x))
        return job_broken(x->run, job, "it gets its core while one of higher priority waits", x->err);
    if (!goes_on && equal_is_first(x, current))
        return job_broken(x->run, job, "it gets its core before one of its priority that was released first", x->err);
    return GCAST_OK;
}

/* Checks the time up to the next event. */
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

/* Ends the waits that are over at `time`. */
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

/* Checks all cores; sorts the spans. */
static gcast_status core_rules_check(const sys_run *run, wait_spans *spans, gcast_error *err)
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

/* A GPU that is shared by slices of time has rules for the operations of jobs, the copy engine and the turns of
 * contexts. */

/* A copy or a kernel of a job. */
typedef struct gpu_operation {
    const sys_job *job;
    int64_t ready_ns; /* when it may start */
    int64_t start_ns, end_ns;
} gpu_operation;

typedef struct turns {
    const sys_run *run;
    const job_slices *slices;
    gcast_error *err;
    VEC(gpu_operation) copies;
    VEC(gpu_operation) kernels; /* by context, then time */
    VEC(size_t) next;           /* by context: its first kernel that has not ended; one more at the end */
    uint32_t *context_of;       /* by task */
    int64_t *slice_ns;          /* by context: how long its slices are; 0: they have no end */
    uint32_t context_count;
} turns;

static bool is_kernel(const sys_run *run, const sys_slice *s)
{
    return run->of->tasks[run->jobs[s->job].task].steps[s->step].op.kind == GCAST_KIND_KERNEL;
}

/* Checks the slices of one operation, from *at on: their length, and that none starts before it can. */
static gcast_status check_operation(turns *x, const sys_job *job, size_t step, int64_t before, size_t *at, size_t end)
{
    const sys_step *of = &x->run->of->tasks[job->task].steps[step];
    const gcast_gpu *gpu = x->run->of->gpu;
    bool kernel = of->op.kind == GCAST_KIND_KERNEL;
    sys_range range = kernel ? of->alone : (sys_range){of->op.min_ns, of->op.max_ns};
    int64_t latency = kernel ? gpu->launch_latency_ns : gpu->copy_latency_ns, sum = 0;
    gpu_operation op = {.job = job, .ready_ns = max_i64(before, job->release_ns + latency), .start_ns = -1};
    for (; *at < end && x->slices->by_job[*at]->step == step; (*at)++) {
        const sys_slice *s = x->slices->by_job[*at];
        int64_t slice = x->slice_ns[x->context_of[job->task]];
        if (s->core != SYS_GPU || s->waits)
            return job_broken(x->run, job, "it runs on a core that is not its own", x->err);
        if (s->start_ns < max_i64(op.ready_ns, op.end_ns))
            return job_broken(x->run, job, "an operation starts before it can", x->err);
        if (kernel ? slice && s->end_ns - s->start_ns > slice : sum > 0)
            return job_broken(x->run, job, "a slice is longer than it may be, or a copy has several", x->err);
        op.start_ns = op.start_ns < 0 ? s->start_ns : op.start_ns;
        op.end_ns = s->end_ns;
        sum += s->end_ns - s->start_ns;
    }
    if (sum < max_i64(range.min_ns, 1) || sum > max_i64(range.max_ns, 1))
        return job_broken(x->run, job, "a step does not take as long as it may", x->err);
    bool ok = kernel ? vec_push(&x->kernels, op) : vec_push(&x->copies, op);
    return ok ? GCAST_OK : gcast_error_set_memory(x->err);
}

static gcast_status check_job(turns *x, size_t j)
{
    const sys_job *job = &x->run->jobs[j];
    size_t at = x->slices->first[j], end = x->slices->first[j + 1];
    int64_t before = job->number ? job[-1].end_ns : 0;
    if (job->end_ns < 0)
        return job_broken(x->run, job, "it never ends on the GPU", x->err);
    if (at == end || x->slices->by_job[at]->start_ns != job->start_ns)
        return job_broken(x->run, job, "it does not start with its first slice", x->err);
    for (size_t i = 0; i < x->run->of->tasks[job->task].step_count; i++) {
        gcast_status status = check_operation(x, job, i, before, &at, end);
        if (status != GCAST_OK)
            return status;
        before = x->slices->by_job[at - 1]->end_ns;
    }
    if (at < end)
        return job_broken(x->run, job, "its slices do not follow its steps", x->err);
    return before == job->end_ns ? GCAST_OK : job_broken(x->run, job, "it does not end when its steps do", x->err);
}

static int by_start(const void *a, const void *b)
{
    const gpu_operation *x = a, *y = b;
    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* One copy at a time, first come first served, and none waits while the engine is idle. */
static gcast_status check_copies(turns *x)
{
    int64_t before = 0, ready = 0;
    if (x->copies.count)
        qsort(x->copies.at, x->copies.count, sizeof *x->copies.at, by_start);
    for (size_t i = 0; i < x->copies.count; i++) {
        const gpu_operation *op = &x->copies.at[i];
        if (op->ready_ns < ready)
            return job_broken(x->run, op->job, "its copy comes after one that came later", x->err);
        if (op->start_ns != max_i64(op->ready_ns, before))
            return job_broken(x->run, op->job, "its copy does not start when the copy engine is free", x->err);
        ready = op->ready_ns;
        before = op->end_ns;
    }
    return GCAST_OK;
}

/* Does the context have a kernel to run at `time`, ready at `since` or before? Calls come with ascending times. */
static bool has_kernel(turns *x, uint32_t context, size_t *at, int64_t time, int64_t since)
{
    size_t *k = &at[context], end = x->next.at[context + 1];
    while (*k < end && x->kernels.at[*k].end_ns <= time)
        (*k)++;
    return *k < end && x->kernels.at[*k].ready_ns <= since;
}

/* Checks a slice of context `c` after one of context `d`, which ended at `before`. */
static gcast_status check_turn(turns *x, const sys_slice *s, uint32_t c, uint32_t d, int64_t before, size_t *at)
{
    const sys_job *job = &x->run->jobs[s->job];
    bool first = d == x->context_count;
    int64_t time = s->start_ns - (first || c == d ? 0 : x->run->of->switch_ns);
    if (time < before)
        return job_broken(x->run, job, "its slice starts before the GPU has switched to it", x->err);
    for (uint32_t i = 0; time > before && i < x->context_count; i++)
        if (has_kernel(x, i, at, time, time - 1))
            return job_broken(x->run, job, "a kernel waits while the GPU is idle", x->err);
    for (uint32_t i = first ? 0 : (d + 1) % x->context_count; i != c; i = (i + 1) % x->context_count)
        if (has_kernel(x, i, at, time, time))
            return job_broken(x->run, job, "it takes the turn of another context", x->err);
    return GCAST_OK;
}

static gcast_status check_turns(turns *x)
{
    size_t *at = malloc((x->context_count + 1) * sizeof *at);
    if (!at)
        return gcast_error_set_memory(x->err);
    for (uint32_t i = 0; i < x->context_count; i++)
        at[i] = x->next.at[i];
    gcast_status status = GCAST_OK;
    uint32_t d = x->context_count;
    int64_t before = 0;
    for (size_t i = 0; i < x->run->slice_count && status == GCAST_OK; i++) {
        const sys_slice *s = &x->run->slices[i];
        if (s->core != SYS_GPU || !is_kernel(x->run, s))
            continue;
        uint32_t c = x->context_of[x->run->jobs[s->job].task];
        status = check_turn(x, s, c, d, before, at);
        d = c;
        before = s->end_ns;
    }
    free(at);
    return status;
}

static gcast_status check_all(turns *x)
{
    const sys_run *run = x->run;
    size_t j = 0;
    gcast_status status = GCAST_OK;
    for (size_t t = 0; t < run->of->task_count; t++) {
        bool on_gpu = run->places[t].core == SYS_GPU;
        if (on_gpu) {
            int64_t own = run->of->tasks[t].slice_ns;
            x->slice_ns[x->context_count] = own > 0 ? own : run->of->slice_ns;
            x->context_of[t] = x->context_count++;
            if (!vec_push(&x->next, x->kernels.count))
                return gcast_error_set_memory(x->err);
        }
        for (; j < run->job_count && run->jobs[j].task == (int)t && status == GCAST_OK; j++)
            if (on_gpu)
                status = check_job(x, j);
    }
    if (status == GCAST_OK && !vec_push(&x->next, x->kernels.count))
        return gcast_error_set_memory(x->err);
    if (status == GCAST_OK)
        status = check_copies(x);
    return status == GCAST_OK ? check_turns(x) : status;
}

static gcast_status turn_rules_check(const sys_run *run, const job_slices *slices, gcast_error *err)
{
    turns x = {.run = run, .slices = slices, .err = err};
    x.context_of = calloc(run->of->task_count + 1, sizeof *x.context_of);
    x.slice_ns = calloc(run->of->task_count + 1, sizeof *x.slice_ns);
    gcast_status status = x.context_of && x.slice_ns ? check_all(&x) : gcast_error_set_memory(err);
    free(x.context_of);
    free(x.slice_ns);
    vec_free(&x.copies);
    vec_free(&x.kernels);
    vec_free(&x.next);
    return status;
}

/* Checks that the operations of a job are called at its release, and that it starts with the first and ends with the
 * last. */
static gcast_status check_operations(const sys_run *run, gcast_error *err)
{
    const gcast_run *gpu = run->gpu;
    size_t jobs = 0, at = 0;
    for (size_t j = 0; j < run->job_count; j++)
        jobs += run->places[run->jobs[j].task].core == SYS_GPU;
    while (at < gpu->op_count) {
        const gcast_run_op *first = &gpu->ops[at];
        size_t count = gpu->workload->tasks[gpu->workload->ops[first->op].task].op_count;
        const sys_job *job = run->op_job[at] < run->job_count ? &run->jobs[run->op_job[at]] : NULL;
        if (!job != first->skipped || at + count > gpu->op_count)
            return gcast_error_set(err, GCAST_INTERNAL, NULL, "operation %zu of the GPU has no job", at);
        for (size_t i = 0; i < count && job; i++)
            if (run->op_job[at + i] != run->op_job[at] || first[i].call_ns != job->release_ns)
                return job_broken(run, job, "an operation is not called when it is released", err);
        if (job &&
            (run->places[job->task].core != SYS_GPU || count != run->of->tasks[job->task].step_count ||
             job->number != first->job || job->start_ns != first->start_ns || job->end_ns != first[count - 1].end_ns))
            return job_broken(run, job, "its times are not those of its operations", err);
        jobs -= job != NULL;
        at += count;
    }
    return jobs ? gcast_error_set(err, GCAST_INTERNAL, NULL, "a job on the GPU has no operations") : GCAST_OK;
}

static gcast_status check_slices(const sys_run *run, const uint32_t *first_job, gcast_error *err)
{
    job_slices slices = {0};
    wait_spans spans = {0};
    gcast_status status = job_slices_init(&slices, run, err);
    if (status == GCAST_OK)
        status = job_walk_check(run, first_job, &slices, &spans, err);
    if (status == GCAST_OK)
        status = core_rules_check(run, &spans, err);
    if (status == GCAST_OK && run->of->sharing == SYS_SLICES)
        status = turn_rules_check(run, &slices, err);
    job_slices_free(&slices);
    vec_free(&spans.spans);
    return status;
}

gcast_status system_run_check(const sys_run *run, gcast_error *err)
{
    uint32_t *first_job = calloc(run->of->task_count + 2, sizeof *first_job);
    if (!first_job)
        return gcast_error_set_memory(err);
    gcast_status status = job_rules_check(run, first_job, err);
    if (status == GCAST_OK && run->is_recorded)
        status = check_slices(run, first_job, err);
    if (status == GCAST_OK && run->gpu)
        status = gcast_run_check(run->gpu, err);
    if (status == GCAST_OK && run->gpu)
        status = check_operations(run, err);
    free(first_job);
    return status;
}
