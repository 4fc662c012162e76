#include "simulate/explain/sweep/shared_sizes.h"

explain_sizes explain_sizes_from(const block_history *history, int64_t time)
{
    return (explain_sizes){.history = history, .next = block_history_change(history, time)};
}

void explain_sizes_set(explain_sizes *z, int64_t time, explain_residents *r)
{
    for (; z->next < z->history->changes.count && z->history->changes.at[z->next].time <= time; z->next++) {
        const size_change *change = &z->history->changes.at[z->next];
        r->sms->at[change->rank].size = change->size;
        r->failed = !vec_push(&r->changed, change->rank) || r->failed;
    }
}
