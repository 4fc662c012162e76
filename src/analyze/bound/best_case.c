/* The shortest times, lemma 7 of docs/bound.md. */
#include "analyze/bound/bound.h"

static int64_t shortest_block(const gcast_op *op)
{
    int64_t shortest = op->block_ns ? INT64_MAX : op->min_ns;
    for (uint64_t i = 0; op->block_ns && i < op->blocks; i++)
        shortest = op->block_ns[i] < shortest ? op->block_ns[i] : shortest;
    return shortest;
}

static int64_t no_later(wide t)
{
    return t < BOUND_LATEST ? (int64_t)t : BOUND_LATEST;
}

/* at_once blocks at a time, each for its shortest, with hand-overs between them. */
static void fill_best(bound *b, bound_op *k)
{
    wide rounds = ((wide)k->op->blocks - 1) / k->at_once, shortest = shortest_block(k->op);
    k->best = no_later(k->latency + shortest + wide_mul(rounds, shortest + b->gpu->handover_ns));
}

/* Is i called before k, surely and always as long before it? */
static bool surely_before(const bound *b, const bound_op *i, const bound_op *k)
{
    if (i == k || i->op->task != k->op->task || i->op->host != GCAST_NO_HOST || k->op->host != GCAST_NO_HOST)
        return false;
    if (i->op->skip_ns != GCAST_NEVER)
        return false;
    if (i->op->release_ns != k->op->release_ns)
        return i->op->release_ns < k->op->release_ns;
    return i->index < k->index && (i->period || !b->options->any_order);
}

/* k enters when those before it that it waits for have left. */
static void fill_sooner(bound *b, bound_op *k)
{
    wide sooner = k->sooner;
    b->steps += b->count;
    for (size_t n = 0; n < b->count; n++) {
        const bound_op *i = &b->ops[n];
        if (surely_before(b, i, k) && bound_stays_behind(k, i))
            sooner = wide_max(sooner, (wide)i->best + b->gpu->stream_gap_ns + i->op->release_ns - k->op->release_ns);
    }
    k->best = no_later(k->best + sooner - k->sooner);
    k->sooner = no_later(sooner);
}

void bound_best(bound *b)
{
    for (size_t n = 0; n < b->count; n++) {
        b->ops[n].sooner = b->ops[n].latency;
        if (b->ops[n].kernel)
            fill_best(b, &b->ops[n]);
    }
    for (size_t n = 0; !b->options->any_phase && n < b->count && bound_goes_on(b) && b->steps < b->most_steps / 4; n++)
        fill_sooner(b, &b->ops[n]);
}
