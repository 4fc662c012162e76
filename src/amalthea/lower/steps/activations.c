#include "amalthea/lower/steps/activations.h"

#include "amalthea/lower/lowering.h"
#include "base/units.h"

static int *list_heads(lowering *l, size_t count)
{
    int *heads = lower_scratch(l, count, sizeof *heads);
    for (size_t i = 0; heads && i < count; i++)
        heads[i] = LINK_END;
    return heads;
}

static bool push(lowering *l, int *head, int task, size_t raw)
{
    task_link link = {.task = task, .raw = raw, .next = *head};
    if (!vec_push(&l->links, link))
        return false;
    *head = (int)l->links.count - 1;
    return true;
}

static bool link_step(lowering *l, int task, size_t raw)
{
    const raw_step *step = &l->tasks[task].raw[raw];
    const am_item *item = step->items[0];
    if (step->kind == RAW_TRIGGER && item->stimulus >= 0)
        return push(l, &l->first_send[item->stimulus], task, raw);
    bool ok = true;
    for (size_t i = 0; step->kind == RAW_SET && i < item->event_count && ok; i++)
        if (item->events[i] >= 0)
            ok = push(l, &l->first_set[item->events[i]], task, raw);
    return ok;
}

/* Lists the raw steps that send each stimulus, and those that set each event. */
static gcast_status links_make(lowering *l)
{
    l->first_send = list_heads(l, l->m->stimulus_count);
    l->first_set = list_heads(l, l->m->os_event_count);
    if (!l->first_send || !l->first_set)
        return GCAST_RESOURCE;
    for (size_t i = l->m->task_count; i-- > 0;) /* so that lists are in the order of the file */
        for (size_t k = l->tasks[i].raw_count; k-- > 0;)
            if (!link_step(l, (int)i, k))
                return lower_no_memory(l);
    return GCAST_OK;
}

/* Lists the tasks that each stimulus starts, after stimuli have been chosen. */
static gcast_status links_listen(lowering *l)
{
    l->first_listener = list_heads(l, l->m->stimulus_count);
    l->next_listener = list_heads(l, l->m->task_count);
    if (!l->first_listener || !l->next_listener)
        return GCAST_RESOURCE;
    for (size_t i = l->m->task_count; i-- > 0;) {
        int s = l->tasks[i].stimulus;
        if (s < 0)
            continue;
        l->next_listener[i] = l->first_listener[s];
        l->first_listener[s] = (int)i;
    }
    return GCAST_OK;
}

typedef struct arriving {
    lowering *l;
    const am_task *task;
    const am_stimulus *st;
    sys_task *t;
} arriving;

static gcast_status bad(const arriving *a, const char *what)
{
    return lower_error(a->l, a->st->at, "Stimulus %s of task %s %s.", a->st->name, a->task->name, what);
}

/* Rounds the offset down to ns: a release may be a nanosecond later. */
static gcast_status set_offset(const arriving *a, int64_t offset_ps)
{
    if (offset_ps < 0 || offset_ps / PS_PER_NS > DAY_NS)
        return bad(a, "has an offset below 0 or above a day");
    a->t->offset_ns = offset_ps / PS_PER_NS;
    if (offset_ps % PS_PER_NS)
        a->t->jitter_ns++;
    return GCAST_OK;
}

/* Releases are at least this far apart. */
static gcast_status sporadic(const arriving *a, int64_t distance_ps)
{
    if (distance_ps / PS_PER_NS < 1)
        return bad(a, "has no minimum distance of releases");
    a->t->arrival = SYS_SPORADIC;
    a->t->period_ns = distance_ps / PS_PER_NS < DAY_NS ? distance_ps / PS_PER_NS : DAY_NS;
    return GCAST_OK;
}

static gcast_status regular(const arriving *a, int64_t period_ps)
{
    if (period_ps < PS_PER_NS)
        return bad(a, "has no recurrence of at least 1 ns");
    if (period_ps / PS_PER_NS > DAY_NS)
        return bad(a, "has a recurrence above a day");
    if (period_ps % PS_PER_NS == 0) {
        a->t->arrival = SYS_PERIODIC;
        a->t->period_ns = period_ps / PS_PER_NS;
        return GCAST_OK;
    }
    gcast_status status = finding_of_task(
        a->l, a->st->at, (size_t)(a->task - a->l->m->tasks), SYS_APPROXIMATED,
        "The recurrence of stimulus %s is not a whole number of nanoseconds: task %s is treated as sporadic.",
        a->st->name, a->task->name);
    return status == GCAST_OK ? sporadic(a, period_ps) : status;
}

/* In the model jitter may make a release earlier, too: here the earliest time is the nominal one. */
static gcast_status jitter_of(const arriving *a, int64_t *offset_ps)
{
    const am_value *j = &a->st->jitter;
    if (!j->given)
        return GCAST_OK;
    if (!j->bounded_above || !j->bounded_below)
        return bad(a, "has a jitter without bounds");
    if (j->upper < j->lower || j->upper / PS_PER_NS > DAY_NS || j->lower / PS_PER_NS < -DAY_NS)
        return bad(a, "has a jitter out of range");
    a->t->jitter_ns += (j->upper - j->lower + PS_PER_NS - 1) / PS_PER_NS;
    *offset_ps += j->lower;
    for (int tries = 0; *offset_ps < 0 && tries < 1000; tries++)
        *offset_ps += a->st->recurrence_ps; /* releases before 0 do not count */
    return GCAST_OK;
}

static gcast_status periodic(const arriving *a)
{
    int64_t offset_ps = a->st->offset_ps;
    gcast_status status = regular(a, a->st->recurrence_ps);
    if (status == GCAST_OK)
        status = jitter_of(a, &offset_ps);
    if (status == GCAST_OK)
        status = set_offset(a, offset_ps);
    if (status == GCAST_OK && a->st->min_distance_ps > a->st->recurrence_ps)
        status = finding_doubt_of_task(
            a->l, a->st->at, (size_t)(a->task - a->l->m->tasks), SYS_APPROXIMATED,
            "Stimulus %s has a minimum distance that is longer than its recurrence: the recurrence is used.",
            a->st->name);
    else if (status == GCAST_OK && a->st->min_distance_ps > a->st->recurrence_ps - a->t->jitter_ns * PS_PER_NS)
        status = finding_of_task(a->l, a->st->at, (size_t)(a->task - a->l->m->tasks), SYS_APPROXIMATED,
                                 "The minimum distance of stimulus %s is not used: its jitter may bring releases of "
                                 "task %s closer.",
                                 a->st->name, a->task->name);
    return status;
}

/* The stimulus gives the distance from one release to the next. */
static gcast_status by_distance(const arriving *a)
{
    const am_value *next = &a->st->next_ps;
    if (!next->given || !next->bounded_below)
        return bad(a, "has no minimum distance of releases");
    gcast_status status = sporadic(a, next->lower);
    if (next->bounded_above && next->upper / PS_PER_NS <= DAY_NS)
        a->t->longest_ns = next->upper / PS_PER_NS > a->t->period_ns ? next->upper / PS_PER_NS : a->t->period_ns;
    return status == GCAST_OK ? set_offset(a, a->st->offset_ps) : status;
}

static gcast_status once(const arriving *a)
{
    a->t->arrival = SYS_SPORADIC;
    a->t->once = true;
    a->t->period_ns = DAY_NS;
    return set_offset(a, a->st->occurrence_ps);
}

/* The distance from an occurrence to the next, after the last one to the first of the next round. */
static int64_t gap(const am_stimulus *st, size_t i)
{
    bool last = i + 1 == st->occurrence_count;
    int64_t next = last ? st->occurrences[0] : st->occurrences[i + 1], d;
    if (__builtin_sub_overflow(next, st->occurrences[i], &d))
        return -1;
    if (last && __builtin_add_overflow(d, st->recurrence_ps, &d))
        return -1;
    return d;
}

/* The stimulus is a list of times that repeats. */
static gcast_status synthetic(const arriving *a)
{
    const am_stimulus *st = a->st;
    if (!st->occurrence_count)
        return bad(a, "has no times of occurrence");
    if (st->recurrence_ps < PS_PER_NS)
        return bad(a, "has no recurrence of at least 1 ns");
    int64_t least = INT64_MAX, most = 0;
    for (size_t i = 0; i < st->occurrence_count; i++) {
        int64_t d = gap(st, i);
        least = d < least ? d : least;
        most = d > most ? d : most;
    }
    if (least < PS_PER_NS)
        return bad(a, "has times that are not in order, or are the same");
    int64_t first = st->occurrences[0];
    if (__builtin_add_overflow(first, st->offset_ps, &first))
        return bad(a, "has an offset below 0 or above a day");
    if (least == most) {
        gcast_status status = regular(a, least);
        return status == GCAST_OK ? set_offset(a, first) : status;
    }
    gcast_status status = finding_of_task(
        a->l, st->at, (size_t)(a->task - a->l->m->tasks), SYS_APPROXIMATED,
        "Stimulus %s comes at irregular times: task %s is treated as sporadic, with the least distance.", st->name,
        a->task->name);
    return status == GCAST_OK ? sporadic(a, least) : status;
}

static gcast_status arrival_curve(const arriving *a)
{
    if (!a->st->occurrence_count)
        return bad(a, "has no arrival curve: the least distance of two releases is missing");
    gcast_status status = sporadic(a, a->st->occurrences[0]);
    if (status != GCAST_OK || a->st->occurrence_count < 2)
        return status;
    return finding_of_task(a->l, a->st->at, (size_t)(a->task - a->l->m->tasks), SYS_APPROXIMATED,
                           "Of the arrival curve of stimulus %s only the distance of two releases is used: bounds are "
                           "larger than necessary.",
                           a->st->name);
}

gcast_status arrival_of(lowering *l, size_t task, sys_task *t)
{
    arriving a = {l, &l->m->tasks[task], &l->m->stimuli[l->tasks[task].stimulus], t};
    switch (a.st->kind) {
    case AM_STIMULUS_PERIODIC:
        return periodic(&a);
    case AM_STIMULUS_RELATIVE:
    case AM_STIMULUS_SPORADIC:
        return by_distance(&a);
    case AM_STIMULUS_SINGLE:
        return once(&a);
    case AM_STIMULUS_SYNTHETIC:
        return synthetic(&a);
    case AM_STIMULUS_ARRIVAL_CURVE:
        return arrival_curve(&a);
    case AM_STIMULUS_VARIABLE_RATE:
        return bad(&a, "has a rate that varies: the least distance of two releases is missing");
    case AM_STIMULUS_EVENT:
        return bad(&a, "comes with events, but has no minimum distance of these");
    default:
        return bad(&a, "is of a custom kind: the least distance of two releases is missing");
    }
}

/* Does any task send the stimulus? */
static bool is_sent(const lowering *l, int stimulus)
{
    return l->first_send[stimulus] != LINK_END;
}

static bool is_inter_process(const lowering *l, int stimulus)
{
    return l->m->stimuli[stimulus].kind == AM_STIMULUS_INTER_PROCESS;
}

/* Chooses the one stimulus that starts the task. Inter-process stimuli that no task sends do not count. */
static gcast_status choose_stimulus(lowering *l, size_t task)
{
    const am_task *t = &l->m->tasks[task];
    lowered_task *lt = &l->tasks[task];
    lt->stimulus = -1;
    for (size_t i = 0; i < t->stimulus_count; i++) {
        int s = t->stimuli[i];
        if (s < 0 || s == lt->stimulus || (is_inter_process(l, s) && !is_sent(l, s)))
            continue;
        if (lt->stimulus >= 0)
            return lower_error(l, t->at,
                               "Task %s has several stimuli, %s and %s: only tasks with one stimulus are analysed.",
                               t->name, l->m->stimuli[lt->stimulus].name, l->m->stimuli[s].name);
        lt->stimulus = s;
    }
    if (lt->stimulus >= 0)
        return GCAST_OK;
    return finding_add(l, t->at, SYS_CONDITION,
                       t->stimulus_count ? "Task %s is left out: no task sends the stimulus that it waits for."
                                         : "Task %s is left out: it has no stimulus, so nothing starts it.",
                       t->name);
}

/* Starts all tasks that the steps of `task` trigger; `queue` has room for all tasks. */
static void start_triggered(const lowering *l, size_t task, bool *started, size_t *queue, size_t *count)
{
    for (size_t k = 0; k < l->tasks[task].raw_count; k++) {
        const raw_step *step = &l->tasks[task].raw[k];
        if (step->kind != RAW_TRIGGER || step->items[0]->stimulus < 0)
            continue;
        int i = l->first_listener[step->items[0]->stimulus];
        if (i == LINK_END || started[i])
            continue; /* all listeners of a stimulus are started together */
        for (; i != LINK_END; i = l->next_listener[i]) {
            started[i] = true;
            queue[(*count)++] = (size_t)i;
        }
    }
}

/* Marks tasks that are started from outside, those that they trigger, and so on. */
static gcast_status mark_started(lowering *l, bool *started)
{
    size_t *queue = lower_scratch(l, l->m->task_count, sizeof *queue), count = 0;
    if (!queue)
        return GCAST_RESOURCE;
    for (size_t i = 0; i < l->m->task_count; i++)
        if (l->tasks[i].stimulus >= 0 && !is_inter_process(l, l->tasks[i].stimulus)) {
            started[i] = true;
            queue[count++] = i;
        }
    for (size_t i = 0; i < count; i++)
        start_triggered(l, queue[i], started, queue, &count);
    return GCAST_OK;
}

/* Finds the only step that triggers the task. */
static gcast_status find_trigger(lowering *l, size_t task, const bool *started)
{
    lowered_task *lt = &l->tasks[task];
    if (!is_inter_process(l, lt->stimulus))
        return GCAST_OK;
    for (int i = l->first_send[lt->stimulus]; i != LINK_END; i = l->links.at[i].next) {
        const task_link *link = &l->links.at[i];
        if (!started[link->task])
            continue;
        if (lt->trigger >= 0)
            return lower_error(l, l->tasks[link->task].raw[link->raw].items[0]->at,
                               "Task %s is triggered from several places, by %s and by %s (stimulus %s): only one "
                               "place can be analysed.",
                               l->m->tasks[task].name, l->m->tasks[lt->trigger].name, l->m->tasks[link->task].name,
                               l->m->stimuli[lt->stimulus].name);
        lt->trigger = link->task;
        lt->trigger_raw = link->raw;
    }
    return GCAST_OK;
}

/* Adds findings on stimuli that are sent and start nothing. */
static gcast_status tell_unheard(lowering *l)
{
    const am_model *m = l->m;
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < m->stimulus_count && status == GCAST_OK; i++)
        if (is_sent(l, (int)i) && l->first_listener[i] == LINK_END)
            status =
                finding_add(l, m->stimuli[i].at, 0, "Stimulus %s is sent, but starts no task.", m->stimuli[i].name);
    return status;
}

gcast_status starts_find(lowering *l)
{
    const am_model *m = l->m;
    bool *started = lower_scratch(l, m->task_count, sizeof *started);
    gcast_status status = started ? links_make(l) : GCAST_RESOURCE;
    for (size_t i = 0; i < m->task_count && status == GCAST_OK; i++)
        status = choose_stimulus(l, i);
    if (status == GCAST_OK)
        status = links_listen(l);
    if (status == GCAST_OK)
        status = mark_started(l, started);
    for (size_t i = 0; i < m->task_count && status == GCAST_OK; i++) {
        l->tasks[i].index = l->tasks[i].trigger = -1;
        if (started[i]) {
            l->tasks[i].index = (int)l->s->task_count++;
            status = find_trigger(l, i, started);
        } else if (l->tasks[i].stimulus >= 0) {
            status = finding_add(l, m->tasks[i].at, SYS_CONDITION,
                                 "Task %s is left out: it is triggered only by tasks that nothing starts.",
                                 m->tasks[i].name);
        }
    }
    if (status == GCAST_OK && !l->s->task_count)
        return lower_error(l, (am_place){m->file_count ? m->files[0] : "", 0},
                           m->task_count ? "No task of the model is ever started: none has a stimulus."
                                         : "The model has no tasks.");
    return status == GCAST_OK ? tell_unheard(l) : status;
}
