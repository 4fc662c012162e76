/* Busy windows on a core: what competes with a task, the windows by lemmas 1 to 9 of docs/amalthea.md, and
 * shorter ones where offsets are known (lemma 10). */
#include "analyze/system/core_busy_window.h"

#include "base/integers.h"

#define MOST_EDGES 4096  /* beginnings of windows to try */
#define MOST_JOBS 100000 /* of a task in a hyperperiod; with more, offsets are ignored */

/* The most that the bursts of one root can execute in a window: the worst window begins when one of them is ready at
 * its latest (lemma 2). */
static int64_t group_demand(const core_burst *const *bursts, size_t count, int64_t w)
{
    int64_t most = 0;
    for (size_t k = 0; k < count; k++) {
        int64_t sum = 0;
        for (size_t i = 0; i < count; i++)
            sum = sum_of(sum,
                         product_of(level_jobs_from(bursts[i], INT64_MAX, bursts[k]->ready_max, w), bursts[i]->most));
        most = max_i64(most, sum);
    }
    return most;
}

/* The most that bursts of other roots can execute in a window, for any phase. */
static int64_t demand_of_others(const core_level *l, int64_t w)
{
    int64_t sum = 0;
    for (size_t i = 0; i < l->single_count; i++)
        sum = sum_of(sum, product_of(level_any_jobs(l->single[i], w), l->single[i]->most));
    for (size_t g = 0, first = 0; g < l->group_count; first = l->group_end[g++])
        sum = sum_of(sum, group_demand(&l->grouped[first], l->group_end[g] - first, w));
    return sum;
}

/* The most that the first `count` bursts of the own root can execute in a window of length w that begins `begin` after
 * the nominal release of the analyzed job. */
static int64_t own_demand(const core_level *l, size_t count, int64_t begin, int64_t w)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const core_burst *b = l->own[i].burst;
        bool any = b->sporadic && l->own[i].last == INT64_MAX;
        sum =
            sum_of(sum, product_of(any ? level_any_jobs(b, w) : level_jobs_from(b, l->own[i].last, begin, w), b->most));
    }
    return sum;
}

/* The same for any begin. */
static int64_t own_demand_any_begin(const core_level *l, size_t count, int64_t w)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum = sum_of(sum, product_of(level_any_jobs(l->own[i].burst, w), l->own[i].burst->most));
    return sum;
}

/* The length of a busy window: the least w that covers `base` and the demand in [0, w). */
static int64_t window(const core_level *l, size_t own_count, bool any_begin, int64_t begin, int64_t base, why_not *why)
{
    int64_t w = base, terms = (int64_t)(l->single_count + own_count) + 1;
    for (size_t g = 0, first = 0; g < l->group_count; first = l->group_end[g++])
        terms += (int64_t)((l->group_end[g] - first) * (l->group_end[g] - first));
    while ((l->x->patience -= terms) > 0) {
        if (w > l->cap) {
            *why = WHY_TOO_LONG;
            return SYS_UNBOUNDED;
        }
        int64_t own = any_begin ? own_demand_any_begin(l, own_count, w) : own_demand(l, own_count, begin, w);
        int64_t next = sum_of(base, sum_of(own, demand_of_others(l, w)));
        if (next <= w)
            return w;
        w = next;
    }
    *why = WHY_GIVES_UP;
    return SYS_UNBOUNDED;
}

/* Takes the end of a part by a window of length w into account. */
static void add_window(level_end *e, const level_part *part, int64_t begin, int64_t w)
{
    e->end = max_i64(e->end, sum_of(begin, w));
    e->own = max_i64(e->own, min_i64(w, minus(sum_of(begin, w), part->ready_min)));
}

/* Lemma 4, where no other burst of the root competes: a window begins when an own job is ready, and takes in further
 * own jobs until it ends before the next one can be ready. */
static void only_own_jobs(core_level *l, const level_part *part, int64_t base, level_end *e)
{
    const core_burst *own = l->own[0].burst;
    int64_t jitter = own->ready_max - own->ready_min;
    bool whole = part->most >= own->most && !part->instant;
    if (!whole && !l->jobs) {
        level_part job = *part;
        job.most = own->most;
        job.instant = false;
        level_end end = {0};
        only_own_jobs(l, &job, base - part->instant - part->most + job.most, &end);
        if ((e->why = end.why) != WHY_BOUNDED)
            return;
    }
    for (int64_t k = 0; whole || k < l->jobs; k++) {
        if (k == MOST_EDGES)
            e->why = WHY_GIVES_UP;
        if (e->why != WHY_BOUNDED)
            return;
        int64_t w = window(l, 0, false, 0, sum_of(base, product_of(k, own->most)), &e->why);
        add_window(e, part, part->ready_max - k * own->period, w);
        if (whole && w <= (k + 1) * own->period - jitter) {
            l->jobs = k + 1;
            return;
        }
    }
}

/* Tries all windows that begin at `ready` of some job and that can reach the part. */
static void try_edges(core_level *l, const level_part *part, size_t own_count, int64_t ready, int64_t first_job,
                      int64_t reach, int64_t base, int *edges, level_end *e)
{
    int64_t period = l->x->s->tasks[l->task].period_ns;
    int64_t k = max_i64(first_job, ceil_div(ready - part->ready_max, period));
    for (int64_t begin = ready - k * period; begin >= part->ready_min - reach; begin -= period) {
        if (++*edges > MOST_EDGES)
            e->why = WHY_GIVES_UP;
        if (e->why != WHY_BOUNDED)
            return;
        add_window(e, part, begin, window(l, own_count, false, begin, base, &e->why));
    }
}

/* How long before a part is ready a window that reaches it can begin: until then it consists of other work. */
static int64_t reach_of(const core_level *l, size_t own_count, why_not *why)
{
    return window(l, own_count, true, 0, max_i64(l->blocking, 1), why);
}

static void try_all_edges(core_level *l, const level_part *part, size_t own_count, int64_t base, level_end *e)
{
    int edges = 0;
    int64_t reach = reach_of(l, own_count, &e->why);
    if (e->why != WHY_BOUNDED)
        return;
    add_window(e, part, part->ready_max, window(l, own_count, false, part->ready_max, base, &e->why));
    for (size_t i = 0; i < own_count && e->why == WHY_BOUNDED; i++) {
        const own_term *term = &l->own[i];
        if (term->burst->sporadic && term->last == INT64_MAX)
            continue; /* its jobs are counted for any begin */
        int64_t first_job = term->last == INT64_MAX ? INT64_MIN : -term->last;
        try_edges(l, part, own_count, term->burst->ready_max, first_job, reach, base, &edges, e);
    }
}

/* Limits the jobs of the own root to those that can be ready before the part ends (lemma 7). */
static void limit_own(core_level *l, const level_part *part)
{
    for (size_t i = 0; i < l->own_count; i++)
        if (i >= l->own_other_count) /* a burst of the task itself, in order */
            l->own[i].last = i - l->own_other_count < part->burst ? 0 : -1;
        else if (l->own[i].trigger_step >= 0)
            l->own[i].last = (uint32_t)l->own[i].trigger_step >= part->step ? -1 : 0;
}

/* Do the first `count` bursts of the own root have bounds? */
static bool knows_own(const core_level *l, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (l->own[i].burst->ready_max >= TIME_LIMIT || l->own[i].burst->most >= TIME_LIMIT)
            return false;
    return true;
}

/* Lemma 10: offsets and periods say when others can be ready. Each job of the task in a hyperperiod is analyzed with
 * all windows that can reach it. */

/* The analysis of one job of the task. */
typedef struct one_job {
    core_level *l;
    const level_part *part;
    size_t own_count;
    int64_t nominal; /* nominal release of its root */
    int64_t base, reach;
    level_end limit; /* the end without offsets */
    level_end e;     /* the latest end so far, of all jobs */
} one_job;

static int64_t offset_of(const core_level *l, const core_burst *b)
{
    return l->x->s->tasks[b->root].offset_ns;
}

/* The most that bursts of other roots can execute in a window that begins at time `at`. */
static int64_t demand_of_others_at(const core_level *l, int64_t at, int64_t w)
{
    int64_t sum = 0;
    for (size_t i = 0; i < l->single_count; i++) {
        const core_burst *b = l->single[i];
        int64_t jobs = b->sporadic ? level_any_jobs(b, w) : level_jobs_from(b, INT64_MAX, at - offset_of(l, b), w);
        sum = sum_of(sum, product_of(jobs, b->most));
    }
    for (size_t i = 0; l->group_count && i < l->group_end[l->group_count - 1]; i++) {
        const core_burst *b = l->grouped[i];
        sum = sum_of(sum, product_of(level_jobs_from(b, INT64_MAX, at - offset_of(l, b), w), b->most));
    }
    return sum;
}

/* Tries a window that begins `begin` after the job's nominal release. */
static void try_window(one_job *j, int64_t begin)
{
    core_level *l = j->l;
    int64_t w = j->base, terms = (int64_t)(l->single_count + j->own_count) + 1;
    if (l->group_count)
        terms += (int64_t)l->group_end[l->group_count - 1];
    while ((l->x->offset_patience -= terms) > 0) {
        int64_t own = own_demand(l, j->own_count, begin, w);
        int64_t next = sum_of(j->base, sum_of(own, demand_of_others_at(l, j->nominal + begin, w)));
        if (next <= w) {
            j->e.end = max_i64(j->e.end, sum_of(begin, w));
            j->e.own = max_i64(j->e.own, min_i64(w, begin + w - j->part->ready_min));
            return;
        }
        if (next > l->cap)
            break;
        w = next;
    }
    j->e.why = WHY_GIVES_UP;
}

/* Can the result still be better than without offsets? */
static bool can_improve(const one_job *j)
{
    return j->e.why == WHY_BOUNDED && (j->e.end < j->limit.end || j->e.own < j->limit.own);
}

/* Tries windows that begin at `ready`, relative to the job, and whole periods before or after it. */
static void try_windows_from(one_job *j, int64_t ready, int64_t period, int64_t first_job)
{
    int64_t k = max_i64(first_job, ceil_div(ready - j->part->ready_max, period));
    for (int64_t begin = ready - k * period; begin >= j->part->ready_min - j->reach && can_improve(j); begin -= period)
        try_window(j, begin);
}

static void analyze_job(one_job *j)
{
    const core_level *l = j->l;
    try_window(j, j->part->ready_max);
    for (size_t i = 0; i < j->own_count && can_improve(j); i++) {
        const own_term *term = &l->own[i];
        try_windows_from(j, term->burst->ready_max, term->burst->period,
                         term->last == INT64_MAX ? INT64_MIN : -term->last);
    }
    for (size_t i = 0; i < l->single_count && can_improve(j); i++) {
        const core_burst *b = l->single[i];
        if (!b->sporadic)
            try_windows_from(j, b->ready_max + offset_of(l, b) - j->nominal, b->period, INT64_MIN);
    }
    for (size_t i = 0; l->group_count && i < l->group_end[l->group_count - 1] && can_improve(j); i++) {
        const core_burst *b = l->grouped[i];
        try_windows_from(j, b->ready_max + offset_of(l, b) - j->nominal, b->period, INT64_MIN);
    }
}

/* Jobs of the task in the hyperperiod of all periodic tasks that compete with it; 0: too many. */
static int64_t jobs_in_hyperperiod(const core_level *l)
{
    int64_t own = l->x->s->tasks[l->task].period_ns, hyperperiod = own;
    for (size_t i = 0; i < l->single_count + (l->group_count ? l->group_end[l->group_count - 1] : 0); i++) {
        const core_burst *b = i < l->single_count ? l->single[i] : l->grouped[i - l->single_count];
        if (b->sporadic)
            continue;
        if (!add_period(&hyperperiod, b->period) || hyperperiod >= TIME_LIMIT || hyperperiod / own > MOST_JOBS)
            return 0;
    }
    return hyperperiod / own;
}

/* Makes the end of a part earlier where offsets show that. `reach`: no window begins earlier before the part. */
static void use_offsets(core_level *l, const level_part *part, size_t own_count, int64_t base, int64_t reach,
                        level_end *e)
{
    const sys_task *def = &l->x->s->tasks[l->task];
    int64_t jobs = l->x->use_offsets && l->single_count + l->group_count ? jobs_in_hyperperiod(l) : 0;
    if (!jobs || l->x->s->tasks[def->root].arrival == SYS_SPORADIC)
        return;
    one_job j = {.l = l, .part = part, .own_count = own_count, .base = base, .reach = reach, .limit = *e};
    j.e = (level_end){.end = INT64_MIN};
    for (int64_t n = 0; n < jobs && can_improve(&j); n++) {
        j.nominal = l->x->s->tasks[def->root].offset_ns + n * def->period_ns;
        analyze_job(&j);
    }
    if (j.e.why != WHY_BOUNDED)
        return;
    e->end = min_i64(e->end, j.e.end);
    e->own = min_i64(e->own, j.e.own);
}

level_end level_part_end(core_level *l, const level_part *part)
{
    size_t own_count = part->alone ? l->own_other_count : l->own_count;
    level_end e = {.end = INT64_MIN, .own = 0};
    /* A step of no time counts as 1 ns, which is subtracted again. Not where others may hold the core until this step
     * is done: then each task of such a circle must be later than the one before, so that none has a bound (lemma 8).
     */
    int64_t base = sum_of(product_of(l->blocking, part->blockings), sum_of(part->most, part->instant));
    if (l->unknown != SYS_NONE)
        e.why = WHY_INTERFERES;
    else if (l->overloaded)
        e.why = WHY_OVERLOAD;
    else if (base >= TIME_LIMIT || part->ready_max >= TIME_LIMIT || !knows_own(l, own_count))
        e.why = WHY_TOO_LONG;
    if (e.why == WHY_BOUNDED) {
        limit_own(l, part);
        if (own_count == 0)
            add_window(&e, part, part->ready_max, window(l, 0, false, 0, base, &e.why));
        else if (l->own_count == 1 && !l->own_other_count)
            only_own_jobs(l, part, base, &e);
        else
            try_all_edges(l, part, own_count, base, &e);
        if (e.why == WHY_BOUNDED && l->x->use_offsets) {
            why_not why = WHY_BOUNDED;
            int64_t reach = reach_of(l, own_count, &why);
            if (why == WHY_BOUNDED)
                use_offsets(l, part, own_count, base, reach, &e);
        }
    }
    if (e.why != WHY_BOUNDED || e.end >= TIME_LIMIT) {
        e.end = e.own = SYS_UNBOUNDED;
        e.why = e.why == WHY_BOUNDED ? WHY_TOO_LONG : e.why;
    } else if (part->instant && !l->spins) {
        e.end--;
        e.own--;
    }
    return e;
}

/* level_make collects the bursts that compete with a task. */

/* The piece of `task` that follows its wait for `other`. */
static const core_piece *piece_after(const system_work *x, int task, int other)
{
    const core_piece *p = &x->pieces[x->tasks[task].first_piece];
    while (p->waits_for != other)
        p++;
    return p;
}

/* Lemma 7, for a burst of another task of the own root: which of its jobs can be ready before a job of `task` ends? Not
 * what `task` triggers later, nor what its next job triggers. A task that waits for `task`, directly or not, continues
 * only afterwards; so do the tasks that it triggers then, and its next job. */
static own_term own_term_of(const system_work *x, int task, const core_burst *b)
{
    const sys_task *tasks = x->s->tasks;
    own_term term = {b, system_trigger_step(x->s, task, b->task), INT64_MAX};
    if (term.trigger_step >= 0)
        return term;
    for (int j = task; tasks[j].arrival == SYS_TRIGGERED && tasks[j].waiter == tasks[j].trigger; j = tasks[j].trigger) {
        int above = tasks[j].trigger;
        const core_piece *after = piece_after(x, above, j);
        int trigger = system_trigger_step(x->s, above, b->task);
        if (above == b->task)
            term.last = b <= &x->bursts[after[-1].burst] ? 0 : -1;
        else if (trigger >= 0)
            term.last = (uint32_t)trigger < after->first ? 0 : -1;
        else
            continue;
        break;
    }
    return term;
}

static void add_burst(system_work *x, core_level *l, const core_burst *b)
{
    if (b->ready_max >= TIME_LIMIT || b->most >= TIME_LIMIT)
        l->unknown = b->task;
    l->spins |= b->spins;
    if (b->root == x->s->tasks[l->task].root)
        l->own[l->own_count++] = own_term_of(x, l->task, b);
    else if (b->single || b->sporadic)
        l->single[l->single_count++] = b;
    else
        l->grouped[l->group_count++] = b; /* sorted by root below */
}

/* Puts bursts of one root next to each other; roots stay in the order of their first burst. */
static void group_by_root(system_work *x, core_level *l)
{
    size_t count = l->group_count, groups = 0;
    l->group_count = 0;
    for (size_t i = 0; i < count;) {
        int root = l->grouped[i]->root;
        size_t end = i + 1;
        for (size_t k = end; k < count; k++)
            if (l->grouped[k]->root == root) {
                const core_burst *other = l->grouped[k];
                l->grouped[k] = l->grouped[end];
                l->grouped[end++] = other;
            }
        x->group_end[groups++] = i = end;
    }
    l->group_count = groups;
}

void level_make(system_work *x, int task, core_level *l)
{
    const task_state *t = &x->tasks[task];
    *l = (core_level){.x = x,
                      .task = task,
                      .single = x->single,
                      .grouped = x->grouped,
                      .group_end = x->group_end,
                      .own = x->own,
                      .cap = x->cap,
                      .unknown = SYS_NONE};
    double load = 0;
    for (uint32_t i = t->core_begin; i < t->class_end; i++) {
        const task_state *other = &x->tasks[x->order[i]];
        for (uint32_t b = other->first_burst; b < other->first_burst + other->burst_count; b++) {
            load += (double)x->bursts[b].most / (double)x->bursts[b].period;
            if (other != t)
                add_burst(x, l, &x->bursts[b]);
        }
    }
    if (l->group_count)
        group_by_root(x, l);
    l->own_other_count = l->own_count;
    for (uint32_t b = t->first_burst; b < t->first_burst + t->burst_count; b++)
        l->own[l->own_count++] = (own_term){&x->bursts[b], -1, -1};
    for (uint32_t i = t->class_end; i < t->core_end; i++)
        l->blocking = max_i64(l->blocking, x->tasks[x->order[i]].section);
    l->may_be_alone = !t->has_equals && x->s->tasks[task].preemption == SYS_PREEMPTIVE;
    l->load = load;
    l->overloaded = load > 1 + 1e-9;
}
