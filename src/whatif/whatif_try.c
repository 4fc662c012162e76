/* One change, or several together, simulated. */
#include <stdio.h>
#include <string.h>

#include "base/minmax.h"
#include "simulate/notes.h"
#include "simulate/run_ops.h"
#include "whatif/whatif.h"

gcast_status whatif_make(const whatif_base *base, const change *changes, size_t count, variant *v, gcast_error *err)
{
    *v = (variant){.gpus = base->gpus, .gpu_names = base->gpu_names, .gpu_count = base->gpu_count};
    gcast_status status = gcast_workload_copy(base->w, &v->w, err);
    if (status == GCAST_OK)
        status = gcast_gpu_copy(base->gpu, &v->gpu, err);
    /* Another GPU first, wherever it is named: SMs, latencies and waves are then those of that one. */
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < count && status == GCAST_OK; i++)
            if ((changes[i].kind == CHANGE_GPU) == (pass == 0))
                status = change_apply(v, &changes[i], err);
    return status == GCAST_OK ? gcast_workload_check(v->w, err) : status;
}

void whatif_variant_free(variant *v)
{
    gcast_workload_free(v->w);
    gcast_gpu_free(v->gpu);
    *v = (variant){0};
}

static bool has_few_blocks(const gcast_workload *w)
{
    uint64_t blocks = 0;
    for (size_t i = 0; i < w->op_count && blocks <= WHATIF_MAX_BLOCKS; i++)
        blocks += w->ops[i].kind == GCAST_KIND_KERNEL ? w->ops[i].blocks : 0;
    return blocks <= WHATIF_MAX_BLOCKS;
}

/* Jobs with a deadline, and those of which an operation ended after it. The operations of a job follow each other. */
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

/* From the first start to the last end on the GPU: without the launch before and waits of the host behind it. */
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

/* What counts in a run, and the way back from there. */
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
    gcast_status status = whatif_make(base, row->changes, row->change_count, &v, err);
    options.record_blocks = !row->ends_only && has_few_blocks(base->w);
    if (status == GCAST_OK)
        status = gcast_workload_simulate(v.w, v.gpu, &options, &run, err);
    row->state = WHATIF_DONE;
    if (status == GCAST_OK && run->hang)
        row->state = WHATIF_HANGS;
    else if (status == GCAST_OK)
        status = look_at(base, run, row, err);
    gcast_run_free(run);
    whatif_variant_free(&v);
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

/* Can a programmer make it? Pauses and latencies that are gone, another GPU and limits are only measures. */
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
