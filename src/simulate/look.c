/* In which order the SMs are looked at where room comes back at one time: one TPC
 * after the other, and blocks start there in between ("Looks" in docs/model.md). A
 * head that takes all the room anyway makes the order the same as looking at once. */
#include <string.h>

#include "simulate/machine.h"

void look_note(sim *s, uint32_t chain)
{
    if (!s->gpu->look_blocks)
        return;
    for (uint32_t g = chain; g != NONE; g = s->groups[g].next) {
        const sim_group *group = &s->groups[g];
        s->back_sms += !s->back[group->sm];
        s->back[group->sm] += group->count;
    }
}

static void close_all(sim *s, bool closed)
{
    memset(s->sms.closed, closed ? 0xff : 0, ((size_t)s->sms.count + 63) / 64 * sizeof *s->sms.closed);
}

static void open_one(sim *s, uint32_t rank)
{
    s->sms.closed[rank / 64] &= ~(UINT64_C(1) << (rank % 64));
}

/* Up to so many blocks of the head where it is open; false when it has started all. */
static bool start_some(sim *s, uint64_t most)
{
    s->budget = most;
    bool more = execution_head_starts(s);
    close_all(s, true);
    return more;
}

/* The SMs of a TPC where room came back: each on its own if that was one block's at most. */
static bool look_at_tpc(sim *s, int tpc)
{
    int per = s->gpu->sms_per_tpc, first = tpc * per;
    int end = first + per < s->sms.count ? first + per : s->sms.count;
    uint32_t most = 0;
    bool more = true;
    for (int sm = first; sm < end; sm++)
        most = s->back[s->sms.rank[sm]] > most ? s->back[s->sms.rank[sm]] : most;
    for (int sm = first; sm < end && more; sm++) {
        uint32_t rank = (uint32_t)s->sms.rank[sm];
        if (!s->back[rank])
            continue;
        s->back[rank] = 0;
        s->back_sms--;
        open_one(s, rank);
        if (most == 1)
            more = start_some(s, UINT64_MAX);
    }
    return most == 1 ? more : start_some(s, (uint64_t)s->gpu->look_blocks * (uint64_t)per);
}

void look_dispatch(sim *s)
{
    if (s->back_sms > 1 && !execution_takes_all(s)) {
        s->looking = true;
        close_all(s, true);
        bool more = true;
        for (uint32_t r = 0; s->back_sms && more && s->status == GCAST_OK; r++)
            if (s->back[r])
                more = look_at_tpc(s, s->sms.order[r] / s->gpu->sms_per_tpc);
        close_all(s, false);
        s->looking = false;
        s->budget = UINT64_MAX;
    }
    for (uint32_t r = 0; s->back_sms; r++) {
        s->back_sms -= s->back[r] > 0;
        s->back[r] = 0;
    }
    execution_dispatch(s);
}
