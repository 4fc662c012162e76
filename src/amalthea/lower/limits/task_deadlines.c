#include "amalthea/lower/limits/task_deadlines.h"

#include "amalthea/lower/findings.h"
#include "amalthea/lower/limits/time_limits.h"
#include "amalthea/lower/mapping/given_tasks.h"

#define PS 1000
#define DAY_NS INT64_C(86400000000000)

/* Requirements that are not checked for one reason. */
typedef struct limit_names {
    name_list names;
    am_place at; /* of the first */
} limit_names;

/* Of all reasons. */
typedef struct unchecked {
    limit_names lower, others, absent, tiny;
} unchecked;

bool deadline_of_task(const lowering *l, const am_limit *limit)
{
    return limit->kind == AM_LIMIT_PROCESS && limit->metric == AM_METRIC_RESPONSE && limit->upper_ps >= 0 &&
           limit->entity >= 0 && l->tasks[limit->entity].index >= 0;
}

static gcast_status set_deadline(lowering *l, const am_limit *limit)
{
    sys_task *t = &l->made[l->tasks[limit->entity].index];
    int64_t ns = limit->upper_ps / PS;
    if (ns < 1)
        return lower_error(l, limit->at, "Requirement %s limits the response time of %s to less than 1 ns.",
                           limit->name, t->name);
    ns = ns < DAY_NS ? ns : DAY_NS;
    if (t->deadline_ns && t->deadline_ns <= ns)
        return GCAST_OK;
    t->deadline_ns = ns;
    t->deadline_name = lower_keep(l, limit->name);
    return t->deadline_name ? GCAST_OK : GCAST_RESOURCE;
}

static void add_limit(limit_names *n, const am_limit *limit)
{
    if (!n->names.count)
        n->at = limit->at;
    names_add(&n->names, limit->name);
}

/* What neither this file checks nor time_limits.c. */
static void note_unchecked(const lowering *l, const am_limit *limit, unchecked *u)
{
    bool is_chain = limit->kind != AM_LIMIT_PROCESS && limit->kind != AM_LIMIT_RUNNABLE;
    bool needs_metric = limit->kind <= AM_LIMIT_PROCESS_CHAIN;
    am_metric metric = limit->kind == AM_LIMIT_PROCESS_CHAIN ? AM_METRIC_END_TO_END : AM_METRIC_RESPONSE;
    if (is_time_limit(l, limit))
        return;
    if (needs_metric && limit->metric != metric)
        add_limit(&u->others, limit);
    else if (limit->lower_ps > 0 && is_chain)
        add_limit(&u->lower, limit);
    else if (limit->upper_ps >= 0 && limit->upper_ps < PS && is_chain)
        add_limit(&u->tiny, limit);
    else if (limit->kind == AM_LIMIT_PROCESS && limit->entity >= 0 && l->tasks[limit->entity].index < 0)
        add_limit(&u->absent, limit);
}

static gcast_status tell(lowering *l, limit_names *n, const char *what)
{
    size_t count = n->names.count;
    return count ? finding_unchecked(l, n->at, count, "%s: %s.", names_text(&n->names), what) : GCAST_OK;
}

static gcast_status tell_unchecked(lowering *l, unchecked *u)
{
    gcast_status status = tell(l, &u->others, "limits of a kind that is not analysed");
    if (status == GCAST_OK)
        status = tell(l, &u->lower, "limits on chains from below");
    if (status == GCAST_OK)
        status = tell(l, &u->absent, "limits on tasks that are left out");
    if (status == GCAST_OK)
        status = tell(l, &u->tiny, "limits on chains of less than 1 ns");
    return status;
}

static gcast_status given_deadlines(lowering *l)
{
    for (size_t i = 0; i < l->m->task_count; i++) {
        const sys_given_task *g = given_task(l, i);
        if (!g || g->deadline_ns < 0 || l->tasks[i].index < 0)
            continue;
        sys_task *t = &l->made[l->tasks[i].index];
        t->deadline_ns = g->deadline_ns;
        t->deadline_name = "";
    }
    return GCAST_OK;
}

gcast_status task_deadlines_find(lowering *l)
{
    gcast_status status = GCAST_OK;
    unchecked u = {0};
    for (size_t i = 0; i < l->m->limit_count && status == GCAST_OK; i++) {
        const am_limit *limit = &l->m->limits[i];
        if (deadline_of_task(l, limit))
            status = set_deadline(l, limit);
        note_unchecked(l, limit, &u);
    }
    if (status == GCAST_OK)
        status = tell_unchecked(l, &u);
    return status == GCAST_OK ? given_deadlines(l) : status;
}
