#include "amalthea/lower/time_limits.h"

#include "amalthea/lower/event_points.h"
#include "amalthea/lower/lowering.h"
#include "amalthea/lower/task_units.h"
#include "base/units.h"

typedef VEC(sys_limit) limit_list;
typedef VEC(sys_span) span_list;

/* With an assumed order of steps, neither that a limit is met nor that it is missed is certain. */
#define LOOSE_EFFECTS (SYS_CONDITION | SYS_APPROXIMATED | SYS_ELSEWHERE)

/* Names of limits with assumptions. */
typedef struct limit_doubts {
    name_list not_said; /* the mappingType is not said */
    name_list loose;    /* the order of steps is assumed */
} limit_doubts;

/* Does time_limits_make make a limit of it, if it can? */
static bool is_time_limit(const lowering *l, const am_limit *limit)
{
    if (limit->kind == AM_LIMIT_DELAY)
        return true;
    if (limit->metric != AM_METRIC_RESPONSE || limit->entity < 0)
        return false;
    return limit->kind == AM_LIMIT_RUNNABLE ||
           (limit->kind == AM_LIMIT_PROCESS && limit->lower_ps > 0 && l->tasks[limit->entity].index >= 0);
}

static gcast_status keep_limit(lowering *l, const am_limit *from, sys_limit limit, limit_list *limits)
{
    int64_t max_ns = from->upper_ps / PS_PER_NS, min_ns = from->lower_ps / PS_PER_NS + (from->lower_ps % PS_PER_NS > 0);
    limit.max_ns = from->upper_ps < 0 ? SYS_NO_LIMIT : max_ns < DAY_NS ? max_ns : DAY_NS;
    limit.min_ns = from->lower_ps <= 0 ? SYS_NO_LIMIT : min_ns < DAY_NS ? min_ns : DAY_NS;
    limit.name = lower_keep(l, from->name);
    limit.on = lower_keep(l, limit.on ? limit.on : "");
    if (!limit.name || !limit.on)
        return GCAST_RESOURCE;
    return vec_push(limits, limit) ? GCAST_OK : lower_no_memory(l);
}

static gcast_status not_checked(lowering *l, const am_limit *from, const char *why)
{
    return finding_unchecked(l, from->at, 1, "%s: %s.", from->name, why);
}

/* Only the lower limit of a response: an upper one is a deadline. */
static gcast_status of_response(lowering *l, const am_limit *from, limit_list *limits)
{
    am_limit lower = *from;
    lower.upper_ps = -1;
    sys_limit limit = {.kind = SYS_LIMIT_RESPONSE, .task = l->tasks[from->entity].index};
    limit.on = l->made[limit.task].name;
    return keep_limit(l, &lower, limit, limits);
}

static gcast_status spans_of_task(lowering *l, int task, const place_search *what, span_list *spans)
{
    place_list places = {0};
    gcast_status status = step_places_find(l, task, what, &places);
    for (size_t i = 0; i < places.count && status == GCAST_OK; i++) {
        sys_span span = {l->tasks[task].index, places.at[i].first, places.at[i].end, places.at[i].inside};
        status = vec_push(spans, span) ? GCAST_OK : lower_no_memory(l);
    }
    vec_free(&places);
    return status;
}

/* A runnable that one task calls is looked for only there. */
static gcast_status find_spans(lowering *l, int runnable, span_list *spans)
{
    place_search what = {.runnable = runnable, .label = -1, .within = -1};
    gcast_status status = GCAST_OK;
    int only = l->caller[runnable];
    for (int i = 0; (size_t)i < l->m->task_count && status == GCAST_OK; i++)
        if (l->tasks[i].index >= 0 && (only < 0 || only == i))
            status = spans_of_task(l, i, &what, spans);
    return status;
}

/* Does the event happen in a group without order? */
static bool event_loose(const lowering *l, const sys_event *e, int event)
{
    am_event_kind kind = l->m->events[event].kind;
    bool in_steps = kind == AM_EVENT_RUNNABLE || kind == AM_EVENT_LABEL;
    for (size_t i = 0; in_steps && i < e->point_count; i++)
        if (steps_loose(l, l->origin[e->task], e->points[i].step, e->points[i].step + 1))
            return true;
    return false;
}

static bool spans_loose(const lowering *l, const sys_limit *limit)
{
    for (size_t i = 0; i < limit->span_count; i++)
        if (steps_loose(l, l->origin[limit->spans[i].task], limit->spans[i].first, limit->spans[i].end))
            return true;
    return false;
}

static void note_loose(bool loose, const am_limit *from, sys_limit *limit, limit_doubts *doubts)
{
    if (!loose)
        return;
    names_add(&doubts->loose, from->name);
    limit->effects |= LOOSE_EFFECTS;
}

static gcast_status of_runnable(lowering *l, const am_limit *from, limit_list *limits, limit_doubts *doubts)
{
    span_list spans = {0};
    gcast_status status = find_spans(l, from->entity, &spans);
    sys_limit limit = {.kind = SYS_LIMIT_RUNNABLE, .task = SYS_NONE, .span_count = spans.count};
    limit.on = l->m->runnables[from->entity].name;
    if (status == GCAST_OK && !spans.count) {
        status = not_checked(l, from, "no task calls the runnable");
    } else if (status == GCAST_OK) {
        sys_span *kept = lower_array(l, spans.count, sizeof *kept);
        for (size_t i = 0; kept && i < spans.count; i++)
            kept[i] = spans.at[i];
        limit.spans = kept;
        note_loose(kept && spans_loose(l, &limit), from, &limit, doubts);
        status = kept ? keep_limit(l, from, limit, limits) : GCAST_RESOURCE;
    }
    vec_free(&spans);
    return status;
}

static gcast_status of_delay(lowering *l, const am_limit *from, limit_list *limits, limit_doubts *doubts)
{
    static const sys_mapping mappings[AM_MAPPINGS] = {[AM_MAPPING_REACTION] = SYS_MAPPING_REACTION,
                                                      [AM_MAPPING_ONE_TO_ONE] = SYS_MAPPING_ONE_TO_ONE,
                                                      [AM_MAPPING_UNIQUE] = SYS_MAPPING_UNIQUE,
                                                      [AM_MAPPING_NOT_SAID] = SYS_MAPPING_REACTION};
    char why[400];
    sys_limit limit = {.kind = SYS_LIMIT_DELAY, .task = SYS_NONE, .mapping = mappings[from->mapping]};
    gcast_status status = event_points_make(l, from->source, &limit.source, why, sizeof why);
    if (status == GCAST_OK && !*why)
        status = event_points_make(l, from->target, &limit.target, why, sizeof why);
    if (status != GCAST_OK)
        return status;
    if (*why)
        return not_checked(l, from, why);
    if (from->mapping == AM_MAPPING_NOT_SAID) {
        names_add(&doubts->not_said, from->name);
        limit.effects = SYS_CONDITION;
    }
    note_loose(event_loose(l, &limit.source, from->source) || event_loose(l, &limit.target, from->target), from, &limit,
               doubts);
    return keep_limit(l, from, limit, limits);
}

static gcast_status make_limit(lowering *l, const am_limit *from, limit_list *limits, limit_doubts *doubts)
{
    if (from->lower_ps <= 0 && from->upper_ps < 0)
        return not_checked(l, from, "it has neither a lower nor an upper limit");
    switch (from->kind) {
    case AM_LIMIT_RUNNABLE:
        return of_runnable(l, from, limits, doubts);
    case AM_LIMIT_DELAY:
        return of_delay(l, from, limits, doubts);
    default:
        return of_response(l, from, limits);
    }
}

static gcast_status keep_all(lowering *l, const limit_list *limits)
{
    sys_limit *kept = lower_array(l, limits->count, sizeof *kept);
    for (size_t i = 0; kept && i < limits->count; i++)
        kept[i] = limits->at[i];
    l->s->limits = kept;
    l->s->limit_count = limits->count;
    return kept ? GCAST_OK : GCAST_RESOURCE;
}

gcast_status time_limits_make(lowering *l)
{
    limit_list limits = {0};
    limit_doubts doubts = {0};
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->m->limit_count && status == GCAST_OK; i++)
        if (is_time_limit(l, &l->m->limits[i]))
            status = make_limit(l, &l->m->limits[i], &limits, &doubts);
    if (status == GCAST_OK)
        status = keep_all(l, &limits);
    if (status == GCAST_OK && doubts.not_said.count)
        status = finding_of_limits(l, lower_nowhere(), SYS_CONDITION,
                                   "The model gives no mappingType for %s: Reaction is assumed.",
                                   names_text(&doubts.not_said));
    if (status == GCAST_OK && doubts.loose.count)
        status =
            finding_of_limits(l, lower_nowhere(), SYS_CONDITION | SYS_APPROXIMATED,
                              "In a group without order the order of the file is taken: with another one %s may not "
                              "hold.",
                              names_text(&doubts.loose));
    vec_free(&limits);
    return status;
}

/* Requirements that are not checked for the same reason. */
typedef struct limit_names {
    name_list names;
    am_place at; /* of the first */
} limit_names;

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
    int64_t ns = limit->upper_ps / PS_PER_NS;
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

/* Notes a requirement that becomes neither a deadline nor a limit of a runnable, a delay or a chain. */
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
    else if (limit->upper_ps >= 0 && limit->upper_ps < PS_PER_NS && is_chain)
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
