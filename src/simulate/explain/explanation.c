/* The list of an explanation's waits. */
#include "simulate/explain/explanation.h"

#include "base/integers.h"

static bool same_wait(const gcast_wait *a, const gcast_wait *b)
{
    bool same = a->reason == b->reason && a->run_op == b->run_op && a->resources == b->resources &&
                a->size_bytes == b->size_bytes && a->min_bytes == b->min_bytes && a->holder_count == b->holder_count;
    for (size_t i = 0; same && i < a->holder_count; i++)
        same = a->holders[i].run_op == b->holders[i].run_op && a->holders[i].blocks == b->holders[i].blocks;
    return same;
}

void explain_add_wait(explain *e, gcast_wait wait)
{
    gcast_wait *last = e->waits.count ? &e->waits.at[e->waits.count - 1] : NULL;
    wait.from_ns = max_i64(wait.from_ns, e->since_ns);
    if (wait.to_ns <= wait.from_ns)
        return;
    wait.run_op = e->subject;
    if (last && same_wait(last, &wait)) {
        last->to_ns = wait.to_ns;
        return;
    }
    wait.holders = arena_copy(&e->memory, wait.holders, wait.holder_count * sizeof *wait.holders);
    if ((wait.holder_count && !wait.holders) || !vec_push(&e->waits, wait))
        e->failed = true;
}

void explain_add(explain *e, gcast_reason reason, int64_t from_ns, int64_t to_ns, unsigned resources,
                 const gcast_holder *holders, size_t count)
{
    explain_add_wait(e, (gcast_wait){.reason = reason,
                                     .from_ns = from_ns,
                                     .to_ns = to_ns,
                                     .resources = resources,
                                     .holders = holders,
                                     .holder_count = count});
}

void explain_add_size(explain *e, int64_t from_ns, int64_t to_ns, int64_t size_bytes, int64_t min_bytes,
                      const gcast_holder *holders, size_t count)
{
    explain_add_wait(e, (gcast_wait){.reason = GCAST_WHY_CARVEOUT,
                                     .from_ns = from_ns,
                                     .to_ns = to_ns,
                                     .size_bytes = size_bytes,
                                     .min_bytes = min_bytes,
                                     .holders = holders,
                                     .holder_count = count});
}

void explain_add_for(explain *e, gcast_reason reason, int64_t from_ns, int64_t to_ns, size_t holder)
{
    gcast_holder h = {.run_op = holder};
    explain_add(e, reason, from_ns, to_ns, 0, &h, 1);
}
