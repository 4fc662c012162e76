#include "analyze/residency/proof/holders.h"

#include <stdlib.h>

#include "model/workload/attributes/attributes.h"

typedef struct finder {
    const gcast_workload *w;
    bool *lasts; /* by op: it may be incomplete for ever, though all of its blocks have started */
    bool *tails; /* by stream: the kernel that a programmatic one would be behind may be */
} finder;

/* Does it wait for blocks of another kernel? */
static bool names_others(const gcast_op *op, size_t itself)
{
    for (size_t k = 0; k < op->waits_for_count; k++)
        if (op->waits_for[k] != itself)
            return true;
    return false;
}

/* Is it, by its stream or by edges with a port, programmatically after one that may be incomplete for ever? */
static bool is_behind(const finder *f, size_t i)
{
    const gcast_op *op = &f->w->ops[i];
    if (op->programmatic && f->tails[op->stream])
        return true;
    for (size_t k = 0; op->ports && k < op->after_count; k++)
        if (op->ports[k] != GCAST_PORT_FULL && f->lasts[op->after[k]])
            return true;
    return false;
}

static holder_kind kind_of(const finder *f, size_t i)
{
    const gcast_op *op = &f->w->ops[i];
    if (op->kind != GCAST_KIND_KERNEL || !attributes_waits(op))
        return HOLDS_NOTHING;
    if (names_others(op, i) || is_behind(f, i))
        return HOLDS_OTHERS;
    return op->waits_for_count ? HOLDS_OWN : HOLDS_NOTHING;
}

holder_kind *holders_find(const gcast_workload *w)
{
    holder_kind *kinds = calloc(w->op_count + 1, sizeof *kinds);
    finder f = {w, calloc(w->op_count + 1, sizeof *f.lasts), calloc(w->stream_count + 1, sizeof *f.tails)};
    for (size_t i = 0; kinds && f.lasts && f.tails && i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        if (!gcast_kind_on_gpu(op->kind))
            continue;
        kinds[i] = kind_of(&f, i);
        f.lasts[i] = op->kind == GCAST_KIND_KERNEL && (names_others(op, i) || is_behind(&f, i));
        bool is_skipped = op->host == GCAST_NO_HOST && op->skip_ns != GCAST_NEVER; /* then it is in front of nobody */
        f.tails[op->stream] = (op->graph == GCAST_NO_GRAPH && f.lasts[i]) || (is_skipped && f.tails[op->stream]);
    }
    if (!f.lasts || !f.tails) {
        free(kinds);
        kinds = NULL;
    }
    free(f.lasts);
    free(f.tails);
    return kinds;
}
