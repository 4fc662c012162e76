/* Changes are made and simulated, one row after the other or on several threads, and compared. */
#include "whatif/whatif.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "model/workload/workload.h"
#include "simulate/run_notes.h"
#include "simulate/run_ops.h"

static bool has_few_blocks(const gcast_workload *w)
{
    uint64_t blocks = 0;
    for (size_t i = 0; i < w->op_count && blocks <= WHATIF_MAX_BLOCKS; i++)
        blocks += w->ops[i].kind == GCAST_KIND_KERNEL ? w->ops[i].blocks : 0;
    return blocks <= WHATIF_MAX_BLOCKS;
}

/* Counts the jobs with a deadline, and those of which an operation ended after it. The operations of a job are
 * adjacent. */
static void count_misses(const gcast_run *run, whatif_row *row)
{
    bool missed = false;
    row->deadlines = row->misses = 0;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        const gcast_op *op = run_spec(run, i);
        if (op->task == GCAST_ONCE || run->workload->tasks[op->task].deadline_ns == 0)
            continue;
        const gcast_task *task = &run->workload->tasks[op->task];
        if (r->op == task->first_op) {
            row->deadlines++;
            missed = false;
        }
        bool late = r->end_ns - (r->release_ns - op->release_ns) > task->deadline_ns;
        row->misses += late && !missed;
        missed = missed || late;
    }
}

/* From the first start to the last end on the GPU. */
static int64_t gpu_span(const gcast_run *run)
{
    int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
    for (size_t i = 0; i < run->op_count; i++) {
        if (run->ops[i].skipped || !gcast_kind_on_gpu(run_spec(run, i)->kind))
            continue;
        first_ns = min_i64(first_ns, run->ops[i].start_ns);
        last_ns = max_i64(last_ns, run->ops[i].end_ns);
    }
    return last_ns > first_ns ? last_ns - first_ns : 0;
}

/* Fills the row from its run: the end that counts, and the critical path to it. */
static gcast_status look_at(const whatif_base *base, const gcast_run *run, whatif_row *row, gcast_error *err)
{
    size_t last = critical_path_last(run);
    row->end_ns = run->end_ns;
    row->gpu_ns = gpu_span(run);
    row->unawaited = notes_count_unawaited(run);
    count_misses(run, row);
    if (base->of) {
        gcast_subject subject;
        gcast_status status = gcast_run_find_subject(run, base->of, false, &subject, err);
        if (status != GCAST_OK)
            return status;
        last = subject.run_op;
        row->end_ns = run->ops[last].end_ns;
    }
    row->is_coarse = !run->blocks_recorded;
    if (row->ends_only || last == SIZE_MAX || !critical_path_exists(run))
        return GCAST_OK;
    critical_path own, *path = row->path ? row->path : &own;
    gcast_status status = critical_path_find(run, last, path, err);
    if (status == GCAST_OK)
        memcpy(row->by_label, path->by_label, sizeof row->by_label);
    row->has_path = status == GCAST_OK;
    if (!row->path)
        critical_path_free(path);
    return status;
}

gcast_status whatif_try(const whatif_base *base, whatif_row *row, gcast_error *err)
{
    variant v;
    gcast_run *run = NULL;
    gcast_simulate_options options = base->options;
    gcast_status status = variant_make(&base->from, row->changes, row->change_count, &v, err);
    options.record_blocks = !row->ends_only && has_few_blocks(base->from.w);
    if (status == GCAST_OK)
        status = gcast_workload_simulate(v.w, v.gpu, &options, &run, err);
    row->state = WHATIF_DONE;
    if (status == GCAST_OK && run->hang)
        row->state = WHATIF_HANGS;
    else if (status == GCAST_OK)
        status = look_at(base, run, row, err);
    gcast_run_free(run);
    variant_free(&v);
    if (status != GCAST_INPUT && status != GCAST_USAGE)
        return status;
    row->state = WHATIF_REFUSED;
    snprintf(row->refusal, sizeof row->refusal, "%.*s", (int)sizeof row->refusal - 1, err->message);
    return GCAST_OK;
}

bool whatif_why(const whatif_row *before, const whatif_row *row, wait_label *label, int64_t *ns)
{
    bool won = whatif_won_ns(before, row) > 0;
    int64_t most = 0;
    if (!before->has_path || !row->has_path || row->state != WHATIF_DONE)
        return false;
    for (int k = 0; k < WAIT_LABELS; k++) {
        int64_t less = before->by_label[k] - row->by_label[k];
        if (won ? less > most : less < most) {
            most = less;
            *label = (wait_label)k;
        }
    }
    *ns = -most;
    return most != 0;
}

/* Can a programmer make this change? Changes of pauses, latencies, the GPU or its SMs are only limits to compare
 * with. */
static bool can_be_made(const change *c)
{
    return c->kind != CHANGE_PAUSES && c->kind != CHANGE_LATENCY && c->kind != CHANGE_GPU && c->kind != CHANGE_SMS &&
           !change_needs_independence(c);
}

size_t whatif_pairs(const whatif_row *before, const whatif_row *rows, size_t count, whatif_row *pairs, size_t max)
{
    enum { BEST = 3 };
    const whatif_row *best[BEST];
    size_t found = 0, made = 0;
    for (int k = 0; k < BEST; k++) {
        const whatif_row *next = NULL;
        for (size_t i = 0; i < count; i++) {
            bool usable = rows[i].change_count == 1 && can_be_made(&rows[i].changes[0]) &&
                          !whatif_lost(before, &rows[i]) &&
                          whatif_won_ns(before, &rows[i]) > (next ? whatif_won_ns(before, next) : 0);
            for (size_t b = 0; b < found && usable; b++)
                usable = best[b]->changes[0].kind != rows[i].changes[0].kind;
            next = usable ? &rows[i] : next;
        }
        if (next)
            best[found++] = next;
    }
    for (size_t a = 0; a < found; a++)
        for (size_t b = a + 1; b < found && made < max; b++) {
            pairs[made] = (whatif_row){.change_count = 2};
            pairs[made].changes[0] = best[a]->changes[0];
            pairs[made++].changes[1] = best[b]->changes[0];
        }
    return made;
}

/* Rows that threads take one after the other. Each row is a simulation of its own. */

typedef struct shared_work {
    const whatif_base *base;
    whatif_row *rows;
    size_t count;
    atomic_size_t next;   /* the first row that no thread has taken */
    atomic_bool stopped;  /* a row failed */
    atomic_size_t done;   /* how many rows are done */
    pthread_mutex_t lock; /* protects what follows */
    gcast_status status;  /* of the first row that failed */
    size_t failed_row;
    gcast_error err;
} shared_work;

/* The failure of the first row counts, whichever thread was faster. */
static void keep_failure(shared_work *s, size_t row, gcast_status status, const gcast_error *err)
{
    pthread_mutex_lock(&s->lock);
    if (s->status == GCAST_OK || row < s->failed_row) {
        s->status = status;
        s->failed_row = row;
        s->err = *err;
    }
    pthread_mutex_unlock(&s->lock);
    atomic_store(&s->stopped, true);
}

/* Takes the next row and tries it; false: there is none. */
static bool try_next(shared_work *s)
{
    gcast_error err;
    size_t row = atomic_fetch_add(&s->next, 1);
    if (row >= s->count || atomic_load(&s->stopped))
        return false;
    gcast_status status = whatif_try(s->base, &s->rows[row], &err);
    if (status != GCAST_OK)
        keep_failure(s, row, status, &err);
    atomic_fetch_add(&s->done, 1);
    return true;
}

static void *work(void *data)
{
    while (try_next(data))
        ;
    return NULL;
}

gcast_status whatif_try_all(const whatif_base *base, whatif_row *rows, size_t count, int threads,
                            void (*done)(void *data, double fraction), void *data, gcast_error *err)
{
    shared_work s = {.base = base, .rows = rows, .count = count};
    size_t wanted = min_size((size_t)max_int(threads, 1), count), started = 0;
    pthread_t *others = wanted > 1 ? calloc(wanted, sizeof *others) : NULL;
    pthread_mutex_init(&s.lock, NULL);
    while (others && started + 1 < wanted && pthread_create(&others[started], NULL, work, &s) == 0)
        started++; /* fewer threads where no more can be created */
    while (try_next(&s))
        if (done)
            done(data, (double)atomic_load(&s.done) / (double)count);
    for (size_t i = 0; i < started; i++)
        pthread_join(others[i], NULL);
    free(others);
    pthread_mutex_destroy(&s.lock);
    if (s.status != GCAST_OK && err)
        *err = s.err;
    return s.status;
}
