/* What can decide nothing any more is forgotten, so that states which differ only in it become equal. */
#include "analyze/explore/events/states/forget.h"

#include "base/minmax.h"

/* Is there an operation of this engine that is not called, or not fully dispatched? */
static bool has_left(const event_search *q, const event_state *s, uint32_t engine)
{
    const explore_problem *p = q->problem;
    for (size_t i = 0; i < s->ops.count; i++)
        if (q->engine[s->ops.at[i].job] == engine && s->ops.at[i].phase <= EVENT_ENTERED)
            return true;
    for (uint32_t j = p->job_count; j-- > 0;)
        if (q->engine[j] == engine && !event_is_called(s, j))
            return true;
    return false;
}

/* No block will start any more: only the last end of each kernel matters, and what the GPU remembers, if it does. */
static void forget_residents(event_search *q, event_state *s)
{
    s->residents.count = 0;
    s->switch_end = ZONE_NEVER;
    if (!q->problem->remembers)
        s->last_sm = (uint32_t)q->sms.count;
    for (int i = 0; i < q->sms.count; i++) {
        int32_t next_quarter = q->problem->remembers ? s->sms[i].next_quarter : 0;
        sm_empty(q->problem->gpu, &s->sms[i]);
        s->sms[i].next_quarter = next_quarter;
    }
    for (size_t i = 0; i < s->ops.count; i++) {
        zone_time times[ZONE_MAX_VARIABLES];
        size_t n = 0, kept = 0;
        uint32_t job = s->ops.at[i].job;
        for (size_t k = 0; k < s->ends.count; k++)
            if (s->ends.at[k].job == job)
                times[n++] = s->ends.at[k].time;
        if (n < 2)
            continue;
        uint32_t v = zone_add_latest(&s->zone, times, n);
        if (v == ZONE_NO_VARIABLE)
            return; /* the ends stay as they are */
        for (size_t k = 0; k < s->ends.count; k++)
            if (s->ends.at[k].job != job)
                s->ends.at[kept++] = s->ends.at[k];
        s->ends.at[kept++] = (event_end){job, {v, 0}};
        s->ends.count = kept;
    }
}

/* The lowest entry number that is not below `min`; UINT32_MAX: none. */
static uint32_t next_entry(const event_state *s, uint32_t min)
{
    uint32_t lowest = UINT32_MAX;
    for (size_t i = 0; i < s->ops.count; i++)
        if (s->ops.at[i].phase >= EVENT_ENTERED && s->ops.at[i].entry_number >= min)
            lowest = min_u32(lowest, s->ops.at[i].entry_number);
    for (size_t i = 0; i < s->residents.count; i++)
        if (s->residents.at[i].entry_number >= min)
            lowest = min_u32(lowest, s->residents.at[i].entry_number);
    return lowest;
}

/* Numbers the entries from 0 on, in their order. A number never grows, so those that were changed are below those that
 * are to be. */
static void renumber_entries(event_state *s)
{
    uint32_t number = 0;
    for (uint32_t entry, min = 0; (entry = next_entry(s, min)) != UINT32_MAX; min = entry + 1, number++) {
        for (size_t i = 0; i < s->ops.count; i++)
            if (s->ops.at[i].phase >= EVENT_ENTERED && s->ops.at[i].entry_number == entry)
                s->ops.at[i].entry_number = number;
        for (size_t i = 0; i < s->residents.count; i++)
            if (s->residents.at[i].entry_number == entry)
                s->residents.at[i].entry_number = number;
    }
    s->next_entry_number = number;
}

/* Numbers the lines that were joined from 1 on, in the order in which they were. */
static void renumber_lines(event_line *lines, size_t count)
{
    uint32_t number = 0, min = 1;
    for (;;) {
        event_line *lowest = NULL;
        for (size_t i = 0; i < count; i++)
            if (lines[i].join_number >= min && (!lowest || lines[i].join_number < lowest->join_number))
                lowest = &lines[i];
        if (!lowest)
            return;
        min = lowest->join_number + 1;
        lowest->join_number = ++number;
    }
}

/* No kernel waits to start blocks: resources that are freed by now in all executions are given back at once. */
static void forget_freed(event_search *q, event_state *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->residents.count; i++) {
        const event_resident *r = &s->residents.at[i];
        if (zone_max_after(&s->zone, r->freed, q->now) <= 0)
            sm_release_one(&s->sms[r->rank], &q->demands[q->problem->jobs[r->job].op], r->quarter);
        else
            s->residents.at[kept++] = *r;
    }
    s->residents.count = kept;
}

void event_forget(event_search *q, event_state *s)
{
    size_t connections = (size_t)q->connection_count, channels = (size_t)q->channel_count;
    for (int e = 0; e < COPY_ENGINES; e++)
        if (!zone_is_never(s->engines[e].gap_end) && !has_left(q, s, (uint32_t)e + 1))
            s->engines[e].gap_end = ZONE_NEVER;
    if (!has_left(q, s, 0))
        forget_residents(q, s);
    else if (!event_kernel_waits(q, s))
        forget_freed(q, s);
    renumber_entries(s);
    renumber_lines(s->lines, connections);
    for (size_t e = 0; e < COPY_ENGINES; e++)
        renumber_lines(s->lines + connections + e * channels, channels);
}
