/* Replays the joins of connections in the order of calls. Keeps the kernels that may be the last of a connection that
 * is not empty, at most one for each stream; the others of a connection enter before its last one. */
#include "analyze/bound/by_job/connection_order.h"

#include "analyze/bound/by_job/cycle.h"
#include "base/integers.h"

/* A kernel that may not have entered yet and may have joined its connection last. */
typedef struct joined {
    size_t event;
    bool may_be_taken; /* another kernel may have joined the connection since */
} joined;

typedef struct replay {
    job_events *s;
    joined last[BY_JOB_CONNECTIONS]; /* in the order of their calls */
    int count;                       /* of `last` */
    bool is_open;                    /* the content of `last` is unknown */
    int64_t all_in_ns;               /* latest entry of all kernels so far */
} replay;

static void remove_last(replay *r, int n)
{
    for (r->count--; n < r->count; n++)
        r->last[n] = r->last[n + 1];
}

/* Removes kernels that have surely entered before `time_ns`. */
static void drop_entered(replay *r, int64_t time_ns)
{
    for (int n = r->count; n-- > 0;) {
        const job_event *last = &r->s->events[r->last[n].event];
        if (by_job_is_known(last) && last->max_entry_ns < time_ns)
            remove_last(r, n);
    }
}

/* The place in `last` of the stream's kernel, or -1. */
static int own_last(const replay *r, int stream)
{
    for (int n = 0; n < r->count; n++)
        if (r->s->events[r->last[n].event].op->op->stream == stream)
            return n;
    return -1;
}

/* Is it surely the last kernel of a connection that is surely not empty? Calls at one time come before entries. */
static bool is_surely_last(const replay *r, int n, int64_t time_ns)
{
    return !r->last[n].may_be_taken && r->s->events[r->last[n].event].min_entry_ns >= time_ns;
}

/* Counts the sure ones. If each connection has one, no other kernel is the last of any, so the others are removed. */
static int count_sure(replay *r, int64_t time_ns)
{
    int sure = 0;
    for (int n = 0; n < r->count; n++)
        sure += is_surely_last(r, n, time_ns);
    for (int n = r->count; n-- > 0 && sure == r->s->connections;)
        if (!is_surely_last(r, n, time_ns))
            remove_last(r, n);
    return sure;
}

/* The event may have joined an empty connection: that of any kernel that may have entered. */
static void take_empty(replay *r, int64_t time_ns)
{
    for (int n = 0; n < r->count; n++)
        if (r->s->events[r->last[n].event].min_entry_ns < time_ns)
            r->last[n].may_be_taken = true;
}

/* If no connection is empty, the event is behind the one of `last` that was called first among as many as there are
 * connections. Marks all that this can be, up to the first sure one, and returns their latest entry. */
static int64_t take_first(replay *r, int64_t time_ns)
{
    int64_t held_ns = INT64_MIN;
    for (int n = 0; n <= r->count - r->s->connections; n++) {
        bool is_sure = is_surely_last(r, n, time_ns);
        held_ns = max_i64(held_ns, r->s->events[r->last[n].event].max_entry_ns);
        r->last[n].may_be_taken = true;
        if (is_sure)
            break;
    }
    return held_ns;
}

/* As join, if k's stream has no connection of its own. */
static size_t join_other(replay *r, size_t k)
{
    job_event *event = &r->s->events[k];
    int sure = count_sure(r, event->call_ns), connections = r->s->connections;
    size_t behind = BY_JOB_NOBODY;
    if (r->count && connections == 1) { /* the kernel called last is the last of the only connection */
        behind = r->last[r->count - 1].event;
        r->count = 0;
    } else if (r->count >= connections && sure == connections) {
        behind = r->last[0].event;
        remove_last(r, 0);
    } else if (r->count >= connections) {
        event->held_ns = take_first(r, event->call_ns);
        behind = BY_JOB_SOME;
    }
    if (behind == BY_JOB_NOBODY || behind == BY_JOB_SOME)
        take_empty(r, event->call_ns);
    return behind;
}

/* The event behind which k joins a connection, or BY_JOB_NOBODY, BY_JOB_SOME or BY_JOB_OPEN. */
static size_t join(replay *r, size_t k)
{
    const job_event *event = &r->s->events[k];
    size_t behind = BY_JOB_NOBODY;
    if (r->is_open && r->all_in_ns < event->call_ns) {
        r->count = 0;
        r->is_open = false;
    }
    drop_entered(r, event->call_ns);
    int own = own_last(r, event->op->op->stream);
    /* In a cycle, a repeated event is also called before other tasks have begun. */
    r->is_open = r->is_open || event->repeat_ns || r->count == BY_JOB_CONNECTIONS;
    if (r->is_open)
        return BY_JOB_OPEN;
    bool is_own = own >= 0 && !r->last[own].may_be_taken;
    if (own >= 0) /* k or another kernel has taken its place */
        remove_last(r, own);
    if (!is_own)
        behind = join_other(r, k);
    r->last[r->count++] = (joined){.event = k};
    return behind;
}

/* Latest entry of all kernels called before the cycle's first event. */
static int64_t all_in_before(const job_events *s)
{
    int64_t all_in_ns = INT64_MIN;
    for (size_t k = 0; k < s->main_from; k++)
        if (s->events[k].op->is_kernel && by_job_is_known(&s->events[k]))
            all_in_ns = max_i64(all_in_ns, s->events[k].max_entry_ns);
    return all_in_ns;
}

/* The last kernel of each stream before the cycle's first event may be the last of a connection. */
static void begin_cycle(replay *r)
{
    for (size_t k = 0; k < r->s->main_from && !r->is_open; k++) {
        if (!r->s->events[k].op->is_kernel)
            continue;
        int own = own_last(r, r->s->events[k].op->op->stream);
        if (own >= 0)
            remove_last(r, own);
        r->is_open = r->count == BY_JOB_CONNECTIONS;
        if (!r->is_open)
            r->last[r->count++] = (joined){.event = k, .may_be_taken = true};
    }
}

void by_job_join_connections(job_events *s)
{
    replay r = {.s = s, .all_in_ns = all_in_before(s)};
    begin_cycle(&r);
    size_t until = s->is_cycle ? s->main_from + s->main_count : s->count;
    for (size_t k = s->main_from; k < until; k++) {
        size_t behind = BY_JOB_NOBODY;
        int64_t held_ns = s->events[k].held_ns;
        if (s->events[k].op->is_kernel)
            behind = s->connections > BY_JOB_CONNECTIONS ? BY_JOB_OPEN : join(&r, k);
        if (behind != s->events[k].behind || held_ns != s->events[k].held_ns) {
            s->events[k].changed_at = ++s->step; /* also for the events before it in the connection */
            s->events[k].behind = behind;
            by_job_copy_event(s, k);
        }
        if (!s->events[k].op->is_kernel)
            continue;
        r.all_in_ns = max_i64(r.all_in_ns, by_job_is_known(&s->events[k]) ? s->events[k].max_entry_ns : INT64_MAX);
    }
}

/* Latest entry of the event before k if joins are unknown. Consecutive kernels of one stream form a group, in one
 * connection. If k joins a connection that is not empty, no connection is, and each ends with a group that has not
 * entered; k joins that of the earliest. So from that group on, as many groups as connections may not have entered. */
static int64_t held_by_some(const job_events *s, size_t k)
{
    const job_event *event = &s->events[k];
    int64_t held_ns = INT64_MIN, group_ns = INT64_MIN;
    int group_count = 0, stream = -1;
    for (size_t j = k; j-- > s->from;) {
        const job_event *other = &s->events[j];
        if (!other->op->is_kernel)
            continue;
        if (stream < 0 && other->op->op->stream == event->op->op->stream)
            return INT64_MIN; /* no other stream has joined the connection since */
        if (other->op->op->stream != stream)
            group_ns = INT64_MIN;
        stream = other->op->op->stream;
        if (other->max_entry_ns < event->call_ns)
            continue;
        group_count += group_ns == INT64_MIN;
        group_ns = max_i64(group_ns, other->max_entry_ns);
        if (group_count >= s->connections)
            held_ns = max_i64(held_ns, group_ns);
    }
    return held_ns;
}

void by_job_held_by_connection(const job_events *s, size_t k, int64_t *least_ns, int64_t *latest_ns)
{
    size_t behind = s->events[k].behind;
    /* Joins are known only after all tasks have begun, but the event before k may be from before that. It may have no
     * ranges yet. */
    bool is_sure = behind < s->count && by_job_is_known(&s->events[behind]) && by_job_has_always(s, behind, k);
    *least_ns = is_sure ? s->events[behind].min_entry_ns : INT64_MIN;
    *latest_ns = behind == BY_JOB_OPEN   ? held_by_some(s, k)
                 : behind == BY_JOB_SOME ? s->events[k].held_ns
                 : behind < s->count     ? s->events[behind].max_entry_ns
                                         : INT64_MIN;
}
