#include "amalthea/lower/doubts.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "amalthea/lower/lowering.h"
#include "amalthea/lower/steps/memory_cost.h"
#include "amalthea/lower/time_limits.h"
#include "base/integers.h"
#include "base/units.h"

/* The use of a label may contradict its declaration. */

typedef struct label_use {
    bool *accessed, *written;
} label_use;

static gcast_status note_use(lowering *l, const am_item *item, int runnable, void *data)
{
    label_use *u = data;
    (void)l, (void)runnable;
    if (item->kind != AM_ITEM_ACCESS || item->label < 0)
        return GCAST_OK;
    u->accessed[item->label] = true;
    u->written[item->label] |= item->write;
    return GCAST_OK;
}

static gcast_status note_all(lowering *l, label_use *u)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->m->task_count && status == GCAST_OK; i++)
        status = walk_task(l, (int)i, note_use, u);
    /* labels of runnables that no task calls are in use, too */
    for (size_t i = 0; i < l->m->runnable_count && status == GCAST_OK; i++)
        for (size_t k = 0; k < l->m->runnables[i].item_count && status == GCAST_OK; k++)
            status = note_use(l, &l->m->runnables[i].items[k], (int)i, u);
    return status;
}

static gcast_status tell_constant(lowering *l, const label_use *u)
{
    name_list names = {0};
    am_place at = lower_nowhere();
    for (size_t i = 0; i < l->m->label_count; i++) {
        if (!l->m->labels[i].constant || !u->written[i])
            continue;
        if (!names.count)
            at = l->m->labels[i].at;
        names_add(&names, l->m->labels[i].name);
    }
    if (!names.count)
        return GCAST_OK;
    return finding_doubt(l, at, 0, "Labels are marked as constant, but written: %s.", names_text(&names));
}

static gcast_status tell_unused(lowering *l, const label_use *u)
{
    name_list names = {0};
    am_place at = lower_nowhere();
    const am_label *largest = NULL;
    for (size_t i = 0; i < l->m->label_count; i++) {
        const am_label *label = &l->m->labels[i];
        if (u->accessed[i])
            continue;
        if (!names.count)
            at = label->at;
        if (!largest || label->bits > largest->bits)
            largest = label;
        names_add(&names, label->name);
    }
    if (!names.count)
        return GCAST_OK;
    char size[40];
    units_format_size(largest->bits < 0 ? 0 : label_bytes(largest), size, sizeof size);
    if (names.count == 1)
        return finding_doubt(l, at, 0, "Label %s (%s) is never read or written.", largest->name, size);
    return finding_doubt(l, at, 0, "Labels are never read or written: %s. The largest is %s (%s).", names_text(&names),
                         largest->name, size);
}

static gcast_status label_doubts_find(lowering *l)
{
    label_use u = {.accessed = lower_scratch(l, l->m->label_count, sizeof(bool)),
                   .written = lower_scratch(l, l->m->label_count, sizeof(bool))};
    gcast_status status = u.accessed && u.written ? note_all(l, &u) : GCAST_RESOURCE;
    if (status == GCAST_OK)
        status = tell_constant(l, &u);
    return status == GCAST_OK ? tell_unused(l, &u) : status;
}

/* Two names fit as well as they share words. */

#define MAX_WORDS 24
#define MAX_WORD 24

typedef struct word_list {
    char word[MAX_WORDS][MAX_WORD];
    size_t count;
} word_list;

static bool has_word(const word_list *w, const char *word)
{
    for (size_t i = 0; i < w->count; i++)
        if (strcmp(w->word[i], word) == 0)
            return true;
    return false;
}

static void add_word(word_list *w, char *word, size_t *length)
{
    word[*length] = '\0';
    if (*length && w->count < MAX_WORDS && !has_word(w, word))
        memcpy(w->word[w->count++], word, *length + 1);
    *length = 0;
}

/* lane_Detection, LaneDetection and "lane detection" are two words each. */
static void split(const char *name, word_list *w)
{
    char word[MAX_WORD];
    size_t length = 0;
    w->count = 0;
    for (const unsigned char *p = (const unsigned char *)name; *p; p++) {
        bool hump = isupper(*p) && p != (const unsigned char *)name && islower(p[-1]);
        if (!isalnum(*p) || hump)
            add_word(w, word, &length);
        if (isalnum(*p) && length + 1 < MAX_WORD)
            word[length++] = (char)tolower(*p);
    }
    add_word(w, word, &length);
}

/* The number of shared words by that of all words of both, in millionths; letter case and how words are joined do not
 * matter. */
static int64_t name_fit(const char *a, const char *b)
{
    word_list x, y;
    size_t shared = 0;
    split(a, &x);
    split(b, &y);
    for (size_t i = 0; i < x.count; i++)
        shared += has_word(&y, x.word[i]);
    size_t all = x.count + y.count - shared;
    return all ? (int64_t)(1000000 * shared / all) : 0;
}

#define MAX_SWAPS 300 /* more limits than this are not compared with each other */

/* Does the name of each limit fit the task of the other better than its own? */
static bool swapped(const lowering *l, const am_limit *a, const am_limit *b)
{
    const char *task_a = l->m->tasks[a->entity].name, *task_b = l->m->tasks[b->entity].name;
    return a->entity != b->entity && a->upper_ps != b->upper_ps &&
           name_fit(a->name, task_b) > name_fit(a->name, task_a) &&
           name_fit(b->name, task_a) > name_fit(b->name, task_b);
}

static gcast_status tell_swapped(lowering *l, const am_limit *a, const am_limit *b)
{
    char time_a[40], time_b[40];
    units_format_time(a->upper_ps / 1000, time_a, sizeof time_a);
    units_format_time(b->upper_ps / 1000, time_b, sizeof time_b);
    return finding_doubt(l, a->at, 0,
                         "Two deadlines look swapped: %s (%s) limits %s, and %s (%s) limits %s. Each name fits the "
                         "other task better. They are used as they are.",
                         a->name, time_a, l->m->tasks[a->entity].name, b->name, time_b, l->m->tasks[b->entity].name);
}

static gcast_status find_swapped(lowering *l)
{
    const am_model *m = l->m;
    gcast_status status = GCAST_OK;
    if (m->limit_count > MAX_SWAPS)
        return GCAST_OK;
    for (size_t i = 0; i < m->limit_count; i++)
        for (size_t k = i + 1; deadline_of_task(l, &m->limits[i]) && k < m->limit_count && status == GCAST_OK; k++)
            if (deadline_of_task(l, &m->limits[k]) && swapped(l, &m->limits[i], &m->limits[k]))
                status = tell_swapped(l, &m->limits[i], &m->limits[k]);
    return status;
}

/* The longest time of a task's code on its core, with or without the tasks that it waits for. */
static int64_t worst_alone(const lowering *l, size_t task, bool waits, int depth)
{
    const sys_task *t = &l->made[task];
    int64_t sum = 0;
    for (size_t i = 0; i < t->step_count; i++) {
        const sys_step *step = &t->steps[i];
        int64_t more = 0;
        if (step->kind == SYS_RUN)
            more = system_step_time(l->s, step, l->places[task].core).max_ns;
        else if (step->kind == SYS_WAIT && waits && depth < 64)
            more = worst_alone(l, (size_t)step->task, true, depth + 1);
        if (!checked_add(sum, more, &sum))
            return INT64_MAX / 4;
    }
    return sum;
}

static const char *place_name(const lowering *l, size_t task)
{
    int core = l->places[task].core;
    return core == SYS_GPU ? l->s->gpu_name : l->s->cores[core].name;
}

/* Finds tasks that exceed their deadline or their period even when they are alone. */
static gcast_status find_too_long(lowering *l)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->s->task_count && status == GCAST_OK; i++) {
        const sys_task *t = &l->made[i];
        int64_t own = worst_alone(l, i, true, 0);
        char need[40], limit[40];
        units_format_time(own, need, sizeof need);
        if (t->deadline_ns && own > t->deadline_ns) {
            units_format_time(t->deadline_ns, limit, sizeof limit);
            status = finding_doubt(l, lower_at_task(l, i), 0,
                                   "Task %s takes up to %s alone on %s, more than its deadline of %s%s%s.", t->name,
                                   need, place_name(l, i), limit, *t->deadline_name ? ", " : "", t->deadline_name);
        } else if (own > t->period_ns) {
            units_format_time(t->period_ns, limit, sizeof limit);
            status = finding_doubt(l, lower_at_task(l, i), 0,
                                   "Task %s takes up to %s alone on %s, and comes every %s: it cannot keep up.",
                                   t->name, need, place_name(l, i), limit);
        }
    }
    return status;
}

/* Finds tasks without a deadline where others have one. */
static gcast_status find_unlimited(lowering *l)
{
    name_list names = {0};
    size_t limited = 0, first = 0;
    for (size_t i = 0; i < l->s->task_count; i++) {
        limited += l->made[i].deadline_ns > 0;
        if (l->made[i].deadline_ns || l->made[i].arrival == SYS_TRIGGERED)
            continue;
        first = names.count ? first : i;
        names_add(&names, l->made[i].name);
    }
    if (!limited)
        return finding_doubt(l, lower_nowhere(), 0,
                             "No task has a deadline: response times are checked against nothing.");
    if (!names.count)
        return GCAST_OK;
    return finding_doubt(l, lower_at_task(l, first), 0, "The model gives no deadline for %s.", names_text(&names));
}

/* How long a job occupies its core at most. Waiting for a task of the same core adds nothing to the time of that task.
 */
static int64_t worst_held(const lowering *l, size_t task)
{
    const sys_task *t = &l->made[task];
    int64_t held = worst_alone(l, task, false, 0);
    for (size_t i = 0; l->places[task].busy && i < t->step_count; i++) {
        const sys_step *step = &t->steps[i];
        if (step->kind != SYS_WAIT || l->places[step->task].core == l->places[task].core)
            continue;
        if (!checked_add(held, worst_alone(l, (size_t)step->task, true, 0), &held))
            return INT64_MAX / 4;
    }
    return held;
}

/* Finds overloaded cores. */
static gcast_status find_overload(lowering *l)
{
    gcast_status status = GCAST_OK;
    for (size_t c = 0; c < l->s->core_count && status == GCAST_OK; c++) {
        double load = 0;
        for (size_t i = 0; i < l->s->task_count; i++)
            if (l->places[i].core == (int)c)
                load += (double)worst_held(l, i) / (double)l->made[i].period_ns;
        if (load > 1.0 + 1e-9)
            status = finding_doubt(l, lower_nowhere(), 0,
                                   "%s is overloaded: its tasks need up to %.1f %% of its time. (A wait that holds the "
                                   "core counts as long as the awaited task takes alone.)",
                                   l->s->cores[c].name, load * 100);
    }
    return status;
}

/* Finds tasks that hold their core while they wait for a task that needs it. */
static gcast_status find_stuck(lowering *l)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < l->s->task_count && status == GCAST_OK; i++)
        for (size_t k = 0; l->places[i].busy && k < l->made[i].step_count && status == GCAST_OK; k++) {
            const sys_step *step = &l->made[i].steps[k];
            if (step->kind != SYS_WAIT || l->places[step->task].core != l->places[i].core ||
                l->places[step->task].priority > l->places[i].priority)
                continue;
            status =
                finding_doubt_of_task(l, lower_at_task(l, i), (size_t)l->origin[i], SYS_CONDITION,
                                      "Task %s holds %s while it waits for %s, which is on %s too and has no higher "
                                      "priority: it may wait forever.",
                                      l->made[i].name, place_name(l, i), step->name, place_name(l, i));
        }
    return status;
}

gcast_status doubts_find(lowering *l)
{
    gcast_status status = find_swapped(l);
    if (status == GCAST_OK)
        status = find_too_long(l);
    if (status == GCAST_OK)
        status = find_unlimited(l);
    if (status == GCAST_OK)
        status = find_overload(l);
    if (status == GCAST_OK)
        status = find_stuck(l);
    return status == GCAST_OK ? label_doubts_find(l) : status;
}
