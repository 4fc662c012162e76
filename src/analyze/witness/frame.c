/* Makes frames: chooses the horizon, and finds the operations and what is open of them; also for parts of a frame. */
#include "analyze/witness/frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "model/workload/workload.h"

#define HYPERPERIODS 3          /* in an execution, unless the options have a number */
#define MAX_OPERATIONS 3000     /* of an execution, unless the options have a number of hyperperiods */
#define MAX_GIVEN 1000000       /* operations of an execution if they have */
#define BLOCKS_OF_ONE 64        /* blocks that take about as long to simulate as an operation */
#define LIST_OF_ONE 64          /* listed durations that count as an operation */
#define MAX_LISTED 256          /* an operation with more blocks has one extra time for all */
#define MAX_LISTED_ALL 65536    /* listed blocks of an execution */
#define MAX_LISTED_KEPT 8000000 /* listed blocks in the latest executions of all ops */

/* Number of operations released before the horizon; one with a list of durations counts as several. */
static uint64_t operations_before(const gcast_workload *w, int64_t horizon)
{
    uint64_t count = w->once_count;
    for (size_t i = w->once_count; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        const gcast_task *t = &w->tasks[op->task];
        uint64_t jobs = horizon <= t->offset_ns ? 0 : (uint64_t)((horizon - t->offset_ns - 1) / t->period_ns) + 1;
        uint64_t weight = 1 + (op->block_ns ? op->blocks / LIST_OF_ONE : 0), all;
        if (!checked_mul(jobs, weight, &all) || !checked_add(count, all, &count))
            return UINT64_MAX;
    }
    return count;
}

/* The end of `count` hyperperiods after the largest offset. */
static int64_t hyperperiods_end(const gcast_workload *w, int64_t count)
{
    int64_t offset = 0, end;
    for (size_t i = 0; i < w->task_count; i++)
        offset = max_i64(offset, w->tasks[i].offset_ns);
    if (!gcast_workload_hyperperiod(w, &end) || !checked_mul(end, count, &end) || !checked_add(end, offset, &end))
        return WORKLOAD_MAX_NS;
    return min_i64(end, WORKLOAD_MAX_NS);
}

/* The latest horizon up to max_ns with at most max_operations operations. */
static int64_t affordable_horizon(const gcast_workload *w, int64_t max_ns, uint64_t max_operations)
{
    int64_t low = 0;
    if (operations_before(w, max_ns) <= max_operations)
        return max_ns;
    for (int64_t high = max_ns; high - low > 1;) {
        int64_t middle = low + (high - low) / 2;
        *(operations_before(w, middle) <= max_operations ? &low : &high) = middle;
    }
    return low;
}

static int64_t choose_horizon(frame *f, const gcast_witness_options *options)
{
    int64_t count = options->hyperperiods ? options->hyperperiods : HYPERPERIODS;
    int64_t wanted = options->horizon_ns ? options->horizon_ns : hyperperiods_end(f->w, count);
    int64_t horizon = affordable_horizon(f->w, wanted, options->hyperperiods ? MAX_GIVEN : MAX_OPERATIONS);
    f->is_whole = !f->w->task_count || (options->horizon_ns && horizon == options->horizon_ns && !f->any_phase);
    f->horizon_ns = options->horizon_ns;
    return max_i64(horizon, 1);
}

/* The longest extra time of a block or copy. It is 0 for a copy without a duration, which depends on the copies beside
 * it, so a fixed duration cannot express it. */
static int64_t range_of(const gcast_op *op, int64_t noise_ns)
{
    if (!gcast_kind_on_gpu(op->kind) || op->launches || (!op->block_ns && op->max_ns == GCAST_UNKNOWN_NS))
        return 0;
    return (op->block_ns ? 0 : op->max_ns - op->min_ns) + noise_ns;
}

/* By how much the latency of a call varies. */
static int64_t latency_range_of(const gcast_op *op, const latency_range *latency)
{
    return !gcast_kind_on_gpu(op->kind) ? 0 : op->kind == GCAST_KIND_KERNEL ? latency->launch_ns : latency->copy_ns;
}

/* A job of the frame. */
typedef struct framed_job {
    int64_t release_ns; /* nominal */
    uint32_t task;      /* index in the workload */
    uint32_t number;    /* of the job in its task */
} framed_job;

/* The order of a run: jobs by release, then by task. */
static int by_release(const void *a, const void *b)
{
    const framed_job *x = a, *y = b;
    if (x->release_ns != y->release_ns)
        return x->release_ns < y->release_ns ? -1 : 1;
    return x->task < y->task ? -1 : x->task > y->task;
}

static framed_job job_of(const frame *f, size_t task, uint32_t number)
{
    const gcast_task *t = &f->w->tasks[task];
    return (framed_job){t->offset_ns + number * t->period_ns, (uint32_t)task, number};
}

static void add_unit(frame *f, int task, uint32_t job, size_t first_op, size_t op_count)
{
    bool is_open = f->unit_count >= f->first_open;
    f->units[f->unit_count] =
        (frame_unit){.task = task, .job = job, .first_operation = f->operation_count, .operation_count = op_count};
    for (size_t i = first_op; i < first_op + op_count; i++) {
        const gcast_op *op = &f->w->ops[i];
        f->weight += 1 + (is_open || !f->is_abridged ? op->blocks / BLOCKS_OF_ONE : 0);
        f->operations[f->operation_count++] =
            (frame_operation){.op = (uint32_t)i,
                              .job = job,
                              .unit = f->unit_count,
                              .range_ns = is_open ? range_of(op, f->noise_ns) : 0,
                              .latency_range_ns = is_open ? latency_range_of(op, &f->latency) : 0,
                              .first_block = NOT_LISTED};
    }
    f->unit_count++;
}

/* Numbers of a task's jobs in a part: from *first to before *next. */
static void numbers_of(const gcast_task *t, const frame_part *part, uint32_t *first, uint32_t *next)
{
    *first = part->start_ns <= t->offset_ns ? 0 : (uint32_t)div_up(part->start_ns - t->offset_ns, t->period_ns);
    *next = part->end_ns <= t->offset_ns ? 0 : (uint32_t)div_up(part->end_ns - t->offset_ns, t->period_ns);
    *next = max_u32(*first, *next);
}

/* Lists the jobs of a part in order, and returns their number. Sets first_job and next_number. */
static size_t list_jobs(frame *f, const frame_part *part, framed_job *jobs)
{
    size_t count = 0;
    for (size_t t = 0; t < f->w->task_count; t++) {
        uint32_t first;
        f->first_job[t] = count;
        numbers_of(&f->w->tasks[t], part, &first, &f->next_number[t]);
        if (first && part->with_first)
            jobs[count++] = job_of(f, t, 0);
        for (uint32_t j = first; j < f->next_number[t]; j++)
            jobs[count++] = job_of(f, t, j);
    }
    f->first_job[f->w->task_count] = count;
    qsort(jobs, count, sizeof *jobs, by_release);
    return count;
}

static void add_jobs(frame *f, const framed_job *jobs, size_t count, size_t *next)
{
    for (size_t t = 0; t < f->w->task_count; t++)
        next[t] = f->first_job[t];
    f->first_open = f->open_ns ? f->once_count : 0;
    for (size_t i = 0; i < count && jobs[i].release_ns < f->open_ns; i++)
        f->first_open++;
    for (size_t i = 0; i < f->once_count; i++)
        add_unit(f, GCAST_ONCE, 0, i, 1);
    for (size_t i = 0; i < count; i++) {
        const gcast_task *t = &f->w->tasks[jobs[i].task];
        f->unit_of_job[next[jobs[i].task]++] = f->unit_count;
        add_unit(f, (int)jobs[i].task, jobs[i].number, t->first_op, t->op_count);
    }
}

/* Gives operations with few blocks a list of extra times, as far as there is memory for them. */
static void list_blocks(frame *f)
{
    for (size_t i = frame_first_open(f); i < f->operation_count; i++) {
        frame_operation *x = &f->operations[i];
        const gcast_op *op = &f->w->ops[x->op];
        if (!x->range_ns || op->kind != GCAST_KIND_KERNEL || op->blocks < 2 || op->blocks > MAX_LISTED)
            continue;
        size_t all = f->listed_blocks + (size_t)op->blocks;
        if (all > MAX_LISTED_ALL || all * f->w->op_count > MAX_LISTED_KEPT)
            return;
        x->first_block = f->listed_blocks;
        f->listed_blocks = all;
    }
}

static void find_open(frame *f)
{
    bool open = f->unit_count > 1 && (f->any_order || (f->any_phase && f->w->task_count > 1));
    for (size_t i = 0; i < f->operation_count; i++) {
        f->has_latencies = f->has_latencies || f->operations[i].latency_range_ns;
        open = open || f->operations[i].range_ns;
    }
    for (size_t i = 0; i < f->w->task_count; i++) {
        bool has_jobs = f->first_job[i] < f->first_job[i + 1]; /* its offset may be after the end */
        f->has_sporadic = f->has_sporadic || (has_jobs && f->w->tasks[i].sporadic);
        open = open || (has_jobs && f->w->tasks[i].jitter_ns);
    }
    f->is_fixed = !open && !f->has_latencies && !f->has_sporadic;
}

static void find_bound(frame *f)
{
    for (size_t i = 0; i < f->w->once_count; i++) {
        const gcast_op *op = &f->w->ops[i];
        f->is_bound[i] = f->is_bound[i] || op->host != GCAST_NO_HOST || op->after_count;
        for (size_t k = 0; k < op->after_count; k++)
            f->is_bound[op->after[k]] = true;
    }
}

/* Chooses a separator that no label contains, so that label, separator and number make a new label. */
static void choose_separator(frame *f)
{
    size_t length = 1;
    f->separator[0] = '#';
    for (size_t i = 0; i < f->w->op_count && length + 1 < sizeof f->separator; i++)
        if (strstr(f->w->ops[i].label, f->separator)) {
            f->separator[length++] = '#';
            i = (size_t)-1; /* from the first op again */
        }
}

/* Allocates memory for the jobs of a part; false without memory. */
static bool allocate(frame *f, const frame_part *part, framed_job **jobs, size_t **next)
{
    size_t units = f->w->once_count, operations = f->w->once_count;
    for (size_t t = 0; t < f->w->task_count; t++) {
        uint32_t first, end;
        numbers_of(&f->w->tasks[t], part, &first, &end);
        units += end - first + 1;
        operations += (end - first + 1) * f->w->tasks[t].op_count;
    }
    f->operations = malloc((operations + 1) * sizeof *f->operations);
    f->units = malloc((units + 1) * sizeof *f->units);
    f->unit_of_job = malloc((units + 1) * sizeof *f->unit_of_job);
    f->first_job = calloc(f->w->task_count + 1, sizeof *f->first_job);
    f->next_number = calloc(f->w->task_count + 1, sizeof *f->next_number);
    f->is_bound = calloc(f->w->once_count + 1, sizeof *f->is_bound);
    *jobs = malloc((units + 1) * sizeof **jobs);
    *next = malloc((f->w->task_count + 1) * sizeof **next);
    return f->operations && f->units && f->unit_of_job && f->first_job && f->next_number && f->is_bound && *jobs &&
           *next;
}

/* Fills a frame whose workload and kinds of open values are set. */
static gcast_status fill(frame *f, const frame_part *part, gcast_error *err)
{
    framed_job *jobs;
    size_t *next;
    bool ok = allocate(f, part, &jobs, &next);
    f->references = 1;
    f->is_abridged = part->with_first;
    f->once_count = part->start_ns ? 0 : f->w->once_count;
    f->open_ns = part->open_ns;
    f->end_ns = part->end_ns;
    if (ok) {
        add_jobs(f, jobs, list_jobs(f, part, jobs), next);
        list_blocks(f);
        find_open(f);
        find_bound(f);
    }
    free(jobs);
    free(next);
    if (ok)
        return GCAST_OK;
    frame_free(f);
    return gcast_error_set_memory(err);
}

gcast_status frame_create(frame *f, const gcast_workload *w, const gcast_gpu *gpu, const latency_range *latency,
                          const gcast_witness_options *options, gcast_error *err)
{
    *f = (frame){.w = w,
                 .any_order = options->any_order,
                 .any_phase = options->any_phase,
                 .noise_ns = options->without_noise ? 0 : gpu->noise_ns,
                 .latency = *latency};
    choose_separator(f);
    return fill(f, &(frame_part){.end_ns = choose_horizon(f, options)}, err);
}

gcast_status frame_cut(const frame *f, const frame_part *part, frame **out, gcast_error *err)
{
    frame *cut = malloc(sizeof *cut);
    if (!cut)
        return gcast_error_set_memory(err);
    *cut = (frame){.w = f->w, .any_order = f->any_order, .noise_ns = f->noise_ns, .latency = f->latency};
    memcpy(cut->separator, f->separator, sizeof cut->separator);
    gcast_status status = fill(cut, part, err);
    if (status == GCAST_OK)
        *out = cut;
    else
        free(cut);
    return status;
}

void frame_release(frame *cut)
{
    if (!cut || --cut->references)
        return;
    frame_free(cut);
    free(cut);
}

uint64_t frame_weight_of(const frame *f, int64_t start_ns, int64_t end_ns)
{
    uint64_t weight = 0;
    for (size_t i = 0; i < f->w->task_count; i++) {
        const gcast_task *t = &f->w->tasks[i];
        uint64_t of_job = 0, all;
        for (size_t k = t->first_op; k < t->first_op + t->op_count; k++)
            of_job += 1 + f->w->ops[k].blocks / BLOCKS_OF_ONE;
        int64_t first = start_ns <= t->offset_ns ? 0 : div_up(start_ns - t->offset_ns, t->period_ns);
        int64_t next = end_ns <= t->offset_ns ? 0 : div_up(end_ns - t->offset_ns, t->period_ns);
        if (next > first &&
            (!checked_mul((uint64_t)(next - first), of_job, &all) || !checked_add(weight, all, &weight)))
            return UINT64_MAX;
    }
    return weight;
}

int64_t frame_hyperperiods_end(const frame *f, int64_t count)
{
    return hyperperiods_end(f->w, count);
}

void frame_free(frame *f)
{
    free(f->operations);
    free(f->units);
    free(f->unit_of_job);
    free(f->first_job);
    free(f->next_number);
    free(f->is_bound);
    *f = (frame){0};
}
