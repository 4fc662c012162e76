/* The search for a state that a run was in before. */
#include <string.h>

#include "analyze/exact/exact.h"
#include "analyze/exact/state.h"
#include "base/arena.h"
#include "base/index.h"

#define MOST_STATE_BYTES ((size_t)1 << 28)

typedef struct past {
    arena memory;
    hash_index index;
    VEC(struct {
        int64_t time;
        const int64_t *state;
        size_t count;
    })
    states;
    size_t bytes;
} past;

/* When was this state before? Else it is kept. -1: never; -2: no memory. */
static int64_t recall(past *p, int64_t time, const int64_t *state, size_t count)
{
    size_t bytes = count * sizeof *state;
    uint64_t hash = index_hash(state, bytes);
    for (index_probe probe = index_start(&p->index, hash); index_next(&p->index, &probe);)
        if (p->states.at[probe.value].count == count && memcmp(p->states.at[probe.value].state, state, bytes) == 0)
            return p->states.at[probe.value].time;
    if ((p->bytes += bytes) > MOST_STATE_BYTES)
        return -1;
    const int64_t *copy = arena_copy(&p->memory, state, bytes);
    if (!copy || !vec_reserve(&p->states, p->states.count + 1) ||
        !index_add(&p->index, hash, (uint32_t)p->states.count))
        return -2;
    p->states.count++;
    p->states.at[p->states.count - 1].time = time;
    p->states.at[p->states.count - 1].state = copy;
    p->states.at[p->states.count - 1].count = count;
    return -1;
}

bool exact_repetition(const gcast_run *run, int64_t first, int64_t hyperperiod, bool (*go_on)(void *, double),
                      void *data, int64_t *before, int64_t *again)
{
    exact_sweep sweep;
    past p = {0};
    bool ok = exact_sweep_init(&sweep, run);
    *again = -1;
    for (int64_t t = first; ok && *again < 0 && t <= run->horizon_ns && go_on(data, 1); t += hyperperiod) {
        exact_answer answer = exact_sweep_to(&sweep, t);
        ok = answer != EXACT_NO_MEMORY;
        if (answer != EXACT_STATE)
            continue;
        *before = recall(&p, t, sweep.state.at, sweep.state.count);
        ok = *before != -2;
        if (*before >= 0)
            *again = t;
    }
    exact_sweep_free(&sweep);
    index_free(&p.index);
    vec_free(&p.states);
    arena_free(&p.memory);
    return ok;
}
