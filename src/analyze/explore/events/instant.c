/* Any set of pending events that can be at one time, before all others, may be next (docs/explore.md, E1). Such a set
 * may leave three decisions open: the order of calls at one time, which of them arrive at once if latencies are ranges
 * from 0 on, and, if a kernel enters now and none waited before, which resources were freed meanwhile (E3). Every case
 * is followed. */
#include "analyze/explore/events/instant.h"

#include <string.h>

#include "analyze/explore/events/dispatch.h"
#include "analyze/explore/events/event_state.h"
#include "analyze/explore/events/event_store.h"
#include "analyze/explore/events/queues.h"
#include "analyze/explore/problem.h"
#include "base/integers.h"

#define MAX_WORK_UNCHECKED 1000000 /* calls that are ordered between two readings of the clock */
#define INSTANTS_PER_STATE 32      /* instants allowed for each allowed state: many sets may lead to one state */
#define MAX_CANDIDATES_APART 14    /* if states stay apart; each set of candidates may be next */

/* The next functions forget what decides nothing any more, so that states which differ only in that become equal. */

/* Is an operation of this engine not called, or not fully dispatched? */
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

/* No block will start any more: keeps only the last end of each kernel, and what the GPU remembers. */
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

/* Numbers the entries from 0 on, in their order. No number grows, so the new numbers stay below the next old one. */
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

/* Numbers the joined lines from 1 on, in the order of their last joins. */
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

/* No kernel waits to start blocks: gives back resources that are freed by now in all executions. */
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

/* Forgets what can decide nothing after q->now. */
static void forget(event_search *q, event_state *s)
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

/* The next functions are the two halves of an instant: queues, then starts, in the order of docs/model.md. */

/* Gives back resources that are freed now, or were freed while no kernel waited. False without memory. */
static bool give_back_freed(event_search *q, event_state *s)
{
    size_t kept = 0;
    q->freed.count = 0;
    for (size_t i = 0; i < s->residents.count; i++) {
        event_resident *r = &s->residents.at[i];
        bool is_now = event_is_now(q, r->freed);
        if (!is_now && r->freed.offset >= q->freed_before[r->freed.var]) {
            s->residents.at[kept++] = *r;
            continue;
        }
        sm_release_one(&s->sms[r->rank], &q->demands[q->problem->jobs[r->job].op], r->quarter);
        if (is_now && !vec_push(&q->freed, *r))
            return event_no_memory(q);
    }
    s->residents.count = kept;
    return true;
}

static bool has_ends_left(const event_state *s, uint32_t job)
{
    for (size_t i = 0; i < s->ends.count; i++)
        if (s->ends.at[i].job == job)
            return true;
    return false;
}

static void complete(event_search *q, event_state *s, event_op *op, zone_time end)
{
    explore_problem *p = q->problem;
    const zone *z = &s->zone;
    explore_add_result(p, op->job, -zone_max_after(z, op->call, end), zone_max_after(z, end, op->call),
                       zone_max_after(z, end, ZONE_TIME_0));
    event_set_complete(q, op, end);
    if (event_is_kernel(q, op->job))
        return;
    event_engine *e = &s->engines[q->engine[op->job] - 1];
    e->job = EXPLORE_NONE;
    e->gap_end = p->copy_gap_ns ? zone_after(end, p->copy_gap_ns) : ZONE_NEVER;
}

/* Ends blocks and copies, then the switch of the EE and the gaps of copy engines. */
static void do_ends(event_search *q, event_state *s)
{
    for (size_t i = 0; i < s->ends.count;) {
        event_end end = s->ends.at[i];
        if (!event_is_now(q, end.time)) {
            i++;
            continue;
        }
        s->ends.at[i] = s->ends.at[--s->ends.count];
        event_op *op = event_find_op(s, end.job);
        if (op->phase == EVENT_FULLY_DISPATCHED && !has_ends_left(s, end.job))
            complete(q, s, op, end.time);
    }
    if (event_is_now(q, s->switch_end))
        s->switch_end = ZONE_NEVER;
    for (int e = 0; e < COPY_ENGINES; e++)
        if (event_is_now(q, s->engines[e].gap_end))
            s->engines[e].gap_end = ZONE_NEVER;
}

/* Does ends, departures, calls, arrivals and entries. False: with a refusal, or without memory. */
static bool do_queues(event_search *q, event_state *s)
{
    q->ready.count = 0;
    do_ends(q, s);
    event_do_turns(q, s);
    return event_do_departures(q, s) && event_do_events(q, s) && event_do_calls(q, s) && event_do_arrivals(q, s) &&
           event_do_entries(q, s);
}

/* Frees resources, then starts copies and blocks. False: with a refusal, or without memory. */
static bool do_starts(event_search *q, event_state *s)
{
    if (!give_back_freed(q, s) || !event_start_copies(q, s) || !event_start_blocks(q, s))
        return false;
    forget(q, s);
    return true;
}

/* The next functions follow every decision that the events of an instant leave open. */

static bool within_limits(event_search *q)
{
    double fraction = (double)q->progress / ((double)q->max_progress + 1);
    if (q->instant_count / INSTANTS_PER_STATE > explore_max_states(q->problem))
        return explore_refuse(q->problem, "event by event, too many sets of next events are possible");
    return explore_within_limits(q->problem, q->instant_count++, q->store_bytes, fraction);
}

/* Reads the clock after enough work. */
static bool in_time(event_search *q, size_t work)
{
    q->work_since_check += work;
    if (q->work_since_check < MAX_WORK_UNCHECKED)
        return true;
    q->work_since_check = 0;
    return explore_in_time(q->problem);
}

/* All is decided: starts what can start, and stores the successor. */
static bool finish_instant(event_search *q, size_t depth)
{
    if (!within_limits(q))
        return false;
    if (!event_state_copy(q, &q->successor, &q->after_queues))
        return event_no_memory(q);
    zone_copy(&q->successor.zone, &q->zone_stack[depth]);
    return do_starts(q, &q->successor) && event_store_add(q, &q->successor);
}

/* The lowest offset above `offset` at which resources are freed by this variable; INT64_MAX: none. */
static int64_t next_freed(const event_state *s, uint32_t var, int64_t offset)
{
    int64_t next = INT64_MAX;
    for (size_t i = 0; i < s->residents.count; i++)
        if (s->residents.at[i].freed.var == var && s->residents.at[i].freed.offset > offset)
            next = min_i64(next, s->residents.at[i].freed.offset);
    return next;
}

/* Decides which resources were freed before now and which are freed now, from variable `var` on. For each variable, the
 * offsets up to some point were before now, and the next one may be now. */
static bool settle_freed(event_search *q, uint32_t var, size_t depth)
{
    const zone *z = &q->zone_stack[depth];
    zone *restricted = &q->zone_stack[depth + 1];
    while (var < z->var_count && next_freed(&q->after_queues, var, INT64_MIN) == INT64_MAX)
        var++;
    if (var == z->var_count)
        return finish_instant(q, depth);
    if (q->happens[var] != INT64_MIN) {
        q->freed_before[var] = q->happens[var];
        bool ok = settle_freed(q, var + 1, depth);
        q->freed_before[var] = INT64_MIN;
        return ok;
    }
    bool ok = true;
    for (int64_t offset = INT64_MIN, next; ok; offset = next) {
        next = next_freed(&q->after_queues, var, offset);
        zone_time last_before = {var, offset}, first_after = {var, next};
        q->freed_before[var] = next;
        zone_copy(restricted, z);
        if ((offset == INT64_MIN || zone_restrict(restricted, last_before, q->now, -1)) &&
            (next == INT64_MAX || zone_restrict(restricted, q->now, first_after, -1)))
            ok = settle_freed(q, var + 1, depth + 1);
        if (next == INT64_MAX)
            break;
        zone_copy(restricted, z);
        if (ok && zone_restrict(restricted, first_after, q->now, 0) &&
            zone_restrict(restricted, q->now, first_after, 0)) {
            q->happens[var] = next;
            ok = settle_freed(q, var + 1, depth + 1);
            q->happens[var] = INT64_MIN;
        }
    }
    q->freed_before[var] = INT64_MIN;
    return ok;
}

/* Calls are decided: does ends, calls and entries. If latencies are ranges, that adds variables, and the zone goes to
 * the next depth. */
static bool settle_queues(event_search *q, size_t depth)
{
    if (!event_state_copy(q, &q->after_queues, &q->current))
        return event_no_memory(q);
    zone_copy(&q->after_queues.zone, &q->zone_stack[depth]);
    if (!do_queues(q, &q->after_queues))
        return false;
    if (q->after_queues.zone.var_count != q->zone_stack[depth].var_count)
        zone_copy(&q->zone_stack[++depth], &q->after_queues.zone);
    bool starts_to_wait = event_kernel_waits(q, &q->after_queues) && !event_kernel_waits(q, &q->current);
    return starts_to_wait ? settle_freed(q, 0, depth) : finish_instant(q, depth);
}

/* Follows both cases of every call of q->due, from `next` on, whose latency may be 0 or longer. */
static bool settle_arrivals(event_search *q, size_t next, size_t depth)
{
    for (; next < q->due.count; next++) {
        const explore_job *j = &q->problem->jobs[q->due.at[next]];
        q->arrive_at_once.at[next] = false;
        if (j->latency_ns == 0 && j->max_latency_ns > 0)
            break;
    }
    if (next == q->due.count)
        return settle_queues(q, depth);
    if (!in_time(q, q->due.count) || !settle_arrivals(q, next + 1, depth))
        return false;
    q->arrive_at_once.at[next] = true;
    return settle_arrivals(q, next + 1, depth);
}

/* Of two calls at one time, where a has the lower call index: is a always made before b? */
static bool order_is_known(const event_search *q, uint32_t a, uint32_t b)
{
    const explore_job *x = &q->problem->jobs[a], *y = &q->problem->jobs[b];
    int task = event_op_of(q, a)->task;
    return (!x->order_is_open && !y->order_is_open) ||
           (task != GCAST_ONCE && task == event_op_of(q, b)->task && x->task_job == y->task_job);
}

/* Follows every order of the calls of q->due from `next` on, which are sorted by call index. */
static bool settle_calls(event_search *q, size_t next, size_t depth)
{
    if (next >= q->due.count)
        return settle_arrivals(q, 0, depth);
    if (!in_time(q, q->due.count - next))
        return false;
    uint32_t *due = q->due.at;
    for (size_t i = next; i < q->due.count; i++) {
        bool may_be_next = true;
        for (size_t k = next; k < i && may_be_next; k++)
            may_be_next = !order_is_known(q, due[k], due[i]);
        if (!may_be_next)
            continue;
        uint32_t job = due[i];
        memmove(&due[next + 1], &due[next], (i - next) * sizeof *due);
        due[next] = job;
        if (!settle_calls(q, next + 1, depth))
            return false;
        memmove(&due[next], &due[next + 1], (i - next) * sizeof *due);
        due[i] = job;
    }
    return true;
}

/* Stores all successors of q->current if the events of q->happens happen at q->now, within the zone at this depth of
 * the stack. False: with a refusal, or without memory. */
static bool follow_instant(event_search *q, size_t depth)
{
    const explore_problem *p = q->problem;
    q->due.count = q->arrive_at_once.count = 0;
    for (uint32_t j = 0; j < p->job_count; j++) {
        if (event_is_called(&q->current, j) || !event_is_now(q, event_call_time(q, &q->current, j)))
            continue;
        size_t place = q->due.count;
        if (!vec_push(&q->due, j) || !vec_push(&q->arrive_at_once, false))
            return event_no_memory(q);
        for (; place > 0 && p->jobs[q->due.at[place - 1]].call_index > p->jobs[j].call_index; place--)
            q->due.at[place] = q->due.at[place - 1];
        q->due.at[place] = j;
    }
    return settle_calls(q, 0, depth);
}

/* The next functions find the first pending event of each variable, the candidates, and follow every set of them. */

/* Takes t as the first event of its variable if it is earlier. */
static void add_event(int64_t first[ZONE_MAX_VARIABLES], zone_time t)
{
    if (!zone_is_never(t) && t.offset < first[t.var])
        first[t.var] = t.offset;
}

static int64_t latest(const event_state *s, zone_time t)
{
    return zone_max_after(&s->zone, t, ZONE_TIME_0);
}

/* Adds the calls that may be made by `happens_by`, by which some event happens in every execution. */
static bool add_calls(event_search *q, event_state *s, int64_t first[ZONE_MAX_VARIABLES], int64_t happens_by)
{
    const explore_problem *p = q->problem;
    uint32_t word = 0;
    while (word < q->set_words && s->called[word] == UINT64_MAX)
        word++;
    for (uint32_t j = word * 64; j < p->job_count && p->jobs[j].call_lo <= happens_by; j++) {
        if (event_is_called(s, j))
            continue;
        if (event_call_is_later(q, s, j))
            continue;
        if (q->group[j] != EXPLORE_NONE && !event_add_late_group(q, s, q->group[j]))
            return false;
        zone_time call = event_call_time(q, s, j);
        add_event(first, call);
        happens_by = min_i64(happens_by, latest(s, call));
    }
    return true;
}

/* Sets q->candidates. False: with a refusal, or without memory. */
static bool find_candidates(event_search *q, event_state *s)
{
    int64_t first[ZONE_MAX_VARIABLES], happens_by = INT64_MAX;
    for (size_t i = 0; i < ZONE_MAX_VARIABLES; i++)
        first[i] = INT64_MAX;
    for (size_t i = 0; i < s->ops.count; i++)
        add_event(first, s->ops.at[i].next_event);
    if (event_kernel_waits(q, s))
        for (size_t i = 0; i < s->residents.count; i++)
            add_event(first, s->residents.at[i].freed);
    for (size_t i = 0; i < s->ends.count; i++)
        add_event(first, s->ends.at[i].time);
    for (int e = 0; e < COPY_ENGINES; e++)
        add_event(first, s->engines[e].gap_end);
    add_event(first, s->switch_end);
    for (uint32_t v = 0; v < s->zone.var_count; v++)
        if (first[v] < INT64_MAX)
            happens_by = min_i64(happens_by, latest(s, (zone_time){v, first[v]}));
    if (!add_calls(q, s, first, happens_by))
        return false;
    q->candidate_count = 0;
    for (uint32_t v = 0; v < s->zone.var_count; v++)
        if (first[v] < INT64_MAX)
            q->candidates[q->candidate_count++] = (zone_time){v, first[v]};
    return true;
}

/* Follows every set of the candidates from `next` on that may happen now. The zone at this depth has decided on the
 * candidates before `next`, and that no later one happens before now. So at least one of the two branches below is
 * possible. */
static bool follow_sets(event_search *q, size_t next, size_t depth)
{
    zone *z = &q->zone_stack[depth];
    while (next < q->candidate_count && zone_max_after(z, q->now, q->candidates[next]) < 0)
        next++; /* it happens later in every execution */
    if (next == q->candidate_count)
        return follow_instant(q, depth);
    zone_time c = q->candidates[next];
    zone *restricted = &q->zone_stack[depth + 1];
    zone_copy(restricted, z);
    if (zone_restrict(restricted, q->now, c, -1) && !follow_sets(q, next + 1, depth + 1))
        return false;
    zone_copy(restricted, z);
    if (!zone_restrict(restricted, c, q->now, 0))
        return true;
    q->happens[c.var] = c.offset;
    bool ok = follow_sets(q, next + 1, depth + 1);
    q->happens[c.var] = INT64_MIN;
    return ok;
}

bool event_follow_state(event_search *q)
{
    event_state *s = &q->current;
    if (!find_candidates(q, s))
        return false;
    if (q->problem->states_stay_apart && q->candidate_count > MAX_CANDIDATES_APART)
        return explore_refuse(q->problem, "too many events are open at once");
    if (!q->candidate_count && s->ops.count)
        return explore_refuse(q->problem, "an internal check failed: a state of the search contradicts itself");
    for (size_t v = 0; v < ZONE_MAX_VARIABLES; v++)
        q->happens[v] = q->freed_before[v] = INT64_MIN;
    /* candidate i is the first that happens now */
    for (size_t i = 0; i < q->candidate_count; i++) {
        zone *z = &q->zone_stack[0];
        bool is_possible = true;
        q->now = q->candidates[i];
        zone_copy(z, &s->zone);
        for (size_t k = 0; k < q->candidate_count && is_possible; k++)
            is_possible = zone_restrict(z, q->now, q->candidates[k], k < i ? -1 : 0);
        if (!is_possible)
            continue;
        q->happens[q->now.var] = q->now.offset;
        if (!follow_sets(q, i + 1, 0))
            return false;
        q->happens[q->now.var] = INT64_MIN;
    }
    return true;
}
