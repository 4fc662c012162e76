#include "analyze/exact/repeat.h"

#include <string.h>

#include "analyze/exact/sweep.h"
#include "base/arena.h"
#include "base/index.h"

#define MAX_STATE_BYTES ((size_t)1 << 28)

/* States so far. */
typedef struct history {
    arena memory;     /* of the states */
    hash_index index; /* of `states`, by content */
    VEC(struct {
        int64_t time;         /* when the run was in it */
        const int64_t *state; /* as exact_sweep_to gives it */
        size_t count;         /* of its numbers */
    })
    states;
    size_t bytes; /* of all states */
} history;

#define NO_TIME (-1)
#define NO_MEMORY (-2)

/* When was the run in this state before? NO_TIME: never, and the state is kept. */
static int64_t find_state(history *p, int64_t time, const int64_t *state, size_t count)
{
    size_t bytes = count * sizeof *state;
    uint64_t hash = index_hash(state, bytes);
    if (!vec_reserve(&p->states, p->states.count + 1))
        return NO_MEMORY;
    for (index_probe probe = index_start(&p->index, hash); index_next(&p->index, &probe);)
        if (p->states.at[probe.value].count == count && memcmp(p->states.at[probe.value].state, state, bytes) == 0)
            return p->states.at[probe.value].time;
    if ((p->bytes += bytes) > MAX_STATE_BYTES)
        return NO_TIME;
    const int64_t *copy = arena_copy(&p->memory, state, bytes);
    if (!copy || !index_add(&p->index, hash, (uint32_t)p->states.count))
        return NO_MEMORY;
    p->states.count++;
    p->states.at[p->states.count - 1].time = time;
    p->states.at[p->states.count - 1].state = copy;
    p->states.at[p->states.count - 1].count = count;
    return NO_TIME;
}

bool exact_find_repetition(const gcast_run *run, int64_t first_ns, int64_t hyperperiod_ns,
                           bool (*may_continue)(void *, double), void *data, exact_repetition *found)
{
    exact_sweep sweep;
    history p = {0};
    bool ok = exact_sweep_init(&sweep, run);
    *found = (exact_repetition){NO_TIME, NO_TIME};
    for (int64_t t = first_ns; ok && found->later_ns < 0 && t <= run->horizon_ns && may_continue(data, 1);
         t += hyperperiod_ns) {
        exact_answer answer = exact_sweep_to(&sweep, t);
        ok = answer != EXACT_NO_MEMORY;
        if (answer != EXACT_STATE)
            continue;
        found->earlier_ns = find_state(&p, t, sweep.state.at, sweep.state.count);
        ok = found->earlier_ns != NO_MEMORY;
        if (found->earlier_ns >= 0)
            found->later_ns = t;
    }
    exact_sweep_free(&sweep);
    index_free(&p.index);
    vec_free(&p.states);
    arena_free(&p.memory);
    return ok;
}
