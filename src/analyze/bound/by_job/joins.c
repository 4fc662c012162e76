/* Joins are replayed in the order of calls, with the connections that may not be empty, each known by the kernel that
 * joined it last: those before it there enter first. */
#include "analyze/bound/by_job/joins.h"

#include "analyze/bound/by_job/cycle.h"
#include "base/minmax.h"

/* A connection that may not be empty. */
typedef struct joined {
    size_t last;       /* the event that joined it last */
    bool may_be_taken; /* if it was empty meanwhile, another kernel may have joined it since */
} joined;

typedef struct replay {
    const job_events *s;
    joined connections[BY_JOB_CONNECTIONS];
    int count;         /* of `connections` */
    bool is_open;      /* it is not known which connection some kernel joined */
    int64_t all_in_ns; /* when all kernels so far have entered, at the latest */
} replay;

/* Leaves out connections that are surely empty at `time_ns`; how many are surely not? */
static int drop_empty(replay *r, int64_t time_ns)
{
    int kept = 0, full = 0;
    for (int n = 0; n < r->count; n++) {
        const job_event *last = &r->s->events[r->connections[n].last];
        if (by_job_is_known(last) && last->max_entry_ns < time_ns)
            continue;
        r->connections[kept++] = r->connections[n];
        full += last->min_entry_ns >= time_ns; /* calls at one time come before entries */
    }
    r->count = kept;
    return full;
}

/* The connection that the stream's last kernel joined, if it is there; -1: it is not. */
static int own_connection(const replay *r, int stream)
{
    for (int n = 0; n < r->count; n++)
        if (r->s->events[r->connections[n].last].op->op->stream == stream)
            return n;
    return -1;
}

static int joined_first(const replay *r)
{
    int first = 0;
    for (int n = 1; n < r->count; n++)
        if (r->connections[n].last < r->connections[first].last)
            first = n;
    return first;
}

static void join_empty(replay *r, size_t k)
{
    for (int n = 0; n < r->count; n++)
        if (r->s->events[r->connections[n].last].min_entry_ns < r->s->events[k].call_ns)
            r->connections[n].may_be_taken = true;
    r->connections[r->count++] = (joined){.last = k};
}

/* Behind which event k joins, or BY_JOB_NOBODY or BY_JOB_OPEN. */
static size_t join(replay *r, size_t k)
{
    const job_event *event = &r->s->events[k];
    if (r->all_in_ns < event->call_ns) {
        r->count = 0;
        r->is_open = false;
    }
    int full = drop_empty(r, event->call_ns), own = own_connection(r, event->op->op->stream);
    r->is_open = r->is_open || event->repeat_ns; /* in a cycle: it is called, too, when others have not begun */
    if (r->is_open)
        return BY_JOB_OPEN;
    if (own >= 0 && !r->connections[own].may_be_taken) {
        r->connections[own].last = k;
        return BY_JOB_NOBODY; /* but its own stream's */
    }
    if (own < 0 && r->count < r->s->connections) {
        join_empty(r, k);
        return BY_JOB_NOBODY;
    }
    if (own < 0 && (full == r->s->connections || r->s->connections == 1)) {
        joined *first = &r->connections[joined_first(r)];
        size_t behind = first->last;
        first->last = k;
        return behind;
    }
    r->is_open = true;
    return BY_JOB_OPEN;
}

/* When all kernels called before the cycle's first event have entered, at the latest. */
static int64_t all_in_before(const job_events *s)
{
    int64_t all_in_ns = INT64_MIN;
    for (size_t k = 0; k < s->main_from; k++)
        if (s->events[k].op->is_kernel && by_job_is_known(&s->events[k]))
            all_in_ns = max_i64(all_in_ns, s->events[k].max_entry_ns);
    return all_in_ns;
}

void by_job_join_connections(job_events *s)
{
    replay r = {.s = s, .is_open = s->is_cycle, .all_in_ns = all_in_before(s)};
    size_t until = s->is_cycle ? s->main_from + s->main_count : s->count;
    for (size_t k = s->main_from; k < until; k++) {
        size_t behind = BY_JOB_NOBODY;
        if (s->events[k].op->is_kernel)
            behind = s->connections > BY_JOB_CONNECTIONS ? BY_JOB_OPEN : join(&r, k);
        if (behind != s->events[k].behind) {
            s->events[k].changed_at = ++s->step; /* for those that it is after, too */
            s->events[k].behind = behind;
            by_job_copy_event(s, k);
        }
        if (!s->events[k].op->is_kernel)
            continue;
        r.all_in_ns = max_i64(r.all_in_ns, by_job_is_known(&s->events[k]) ? s->events[k].max_entry_ns : INT64_MAX);
    }
}

/* Kernels that one stream calls, none of others between them, are a group, in one connection. If k joins one that is
 * not empty, none is, and each holds last a group that has not entered; it joins that of the first of these. So there
 * are at least as many groups that may not have entered, from that one on, as there are connections. */
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
            return INT64_MIN; /* nobody joined its connection since */
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
    *least_ns = behind < s->count ? s->events[behind].min_entry_ns
                                  : INT64_MIN; /* known joins are of a time when all have begun */
    *latest_ns = behind == BY_JOB_OPEN ? held_by_some(s, k)
                 : behind < s->count   ? s->events[behind].max_entry_ns
                                       : INT64_MIN;
}
