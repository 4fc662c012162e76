#include "report/areas/busiest.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "model/run_children.h"
#include "model/run_op.h"
#include "model/workload/edit.h"

typedef struct use {
    unsigned __int128 held; /* threads * time in the view */
    uint64_t runs;          /* operations that are shown */
    uint64_t blocks;        /* of these */
    uint64_t rests;         /* of blocks that waited for their children */
    const char *label;
    size_t stem_length; /* length of the label without the number of an iteration */
    uint32_t op;        /* of the workload */
} use;

static int by_name(const void *a, const void *b)
{
    const use *x = a, *y = b;
    int order = memcmp(x->label, y->label, min_size(x->stem_length, y->stem_length));
    if (order || x->stem_length != y->stem_length)
        return order ? order : x->stem_length < y->stem_length ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

static int by_held(const void *a, const void *b)
{
    const use *x = a, *y = b;
    if (x->held != y->held)
        return x->held > y->held ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

static void add_op(const sm_index *index, size_t i, use *u)
{
    const view *v = index->shown;
    shown_blocks blocks = shown_blocks_of(&index->run->ops[i]);
    uint64_t counted = 0, threads = (uint64_t)run_op(index->run, i)->shape.threads;
    for (uint64_t k = 0; blocks.at && k < blocks.count; k++) {
        const gcast_block *b = &blocks.at[k];
        if ((int)b->sm < v->first_sm || (int)b->sm > v->last_sm || !view_holds(v, b->start_ns, b->end_ns))
            continue;
        u->held += (unsigned __int128)(uint64_t)view_clip(v, b->start_ns, b->end_ns) * threads;
        counted++;
    }
    if (run_is_rest(index->run, i)) {
        u->rests += counted;
        return;
    }
    u->blocks += counted;
    u->runs += counted > 0;
}

/* Merges the iterations of a label; returns how many kernels are left. */
static size_t merge(use *uses, size_t count)
{
    size_t kept = 0;
    qsort(uses, count, sizeof *uses, by_name);
    for (size_t i = 0; i < count; i++) {
        use *last = kept ? &uses[kept - 1] : NULL;
        if (!uses[i].blocks && !uses[i].rests)
            continue;
        if (!last || last->stem_length != uses[i].stem_length ||
            memcmp(last->label, uses[i].label, last->stem_length) != 0) {
            uses[kept++] = uses[i];
            continue;
        }
        last->held += uses[i].held;
        last->runs += uses[i].runs;
        last->blocks += uses[i].blocks;
    }
    return kept;
}

bool busiest_find(busiest *b, const sm_index *index)
{
    const gcast_run *run = index->run;
    size_t ops = run->workload->op_count + run->workload->child_count;
    use *uses = calloc(ops + 1, sizeof *uses);
    unsigned __int128 all = 0;
    *b = (busiest){0};
    if (!uses)
        return false;
    for (size_t i = 0; i < ops; i++) {
        const char *label = run->workload->ops[i].label;
        uses[i] = (use){.op = (uint32_t)i, .label = label, .stem_length = workload_label_stem(label)};
    }
    for (size_t i = 0; i < run_total(run); i++)
        add_op(index, i, &uses[run->ops[i].op]);
    b->kernels = merge(uses, ops);
    for (size_t i = 0; i < b->kernels; i++)
        all += uses[i].held;
    qsort(uses, b->kernels, sizeof *uses, by_held);
    for (size_t i = 0; i < b->kernels && i < BUSIEST && uses[i].held; i++)
        b->at[b->count++] = (busy_kernel){uses[i].op, (uint32_t)((uses[i].held * 1000000 + all / 2) / all),
                                          uses[i].runs, uses[i].blocks};
    free(uses);
    return true;
}
