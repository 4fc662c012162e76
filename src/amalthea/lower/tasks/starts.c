#include "amalthea/lower/tasks/starts.h"

#include "amalthea/lower/findings.h"
#include "amalthea/lower/tasks/links.h"

/* Does any task send it? */
static bool is_sent(const lowering *l, int stimulus)
{
    return l->first_send[stimulus] != LINK_END;
}

static bool is_inter_process(const lowering *l, int stimulus)
{
    return l->m->stimuli[stimulus].kind == AM_STIMULUS_INTER_PROCESS;
}

/* The one stimulus that starts the task. Those that nobody sends do not count. */
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
            return lower_error(l, t->at, "Task %s has several stimuli, %s and %s: one that starts it is analysed.",
                               t->name, l->m->stimuli[lt->stimulus].name, l->m->stimuli[s].name);
        lt->stimulus = s;
    }
    if (lt->stimulus >= 0)
        return GCAST_OK;
    return finding_add(l, t->at, SYS_CONDITION,
                       t->stimulus_count ? "Task %s is left out: no task sends the stimulus that it waits for."
                                         : "Task %s is left out: it has no stimulus, so that nothing starts it.",
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

/* Tasks that are started from outside, and those that they trigger, and so on. */
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

/* The only step that triggers the task. */
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
                               "Task %s is triggered from several places, by %s and by %s (stimulus %s): one is "
                               "analysed.",
                               l->m->tasks[task].name, l->m->tasks[lt->trigger].name, l->m->tasks[link->task].name,
                               l->m->stimuli[lt->stimulus].name);
        lt->trigger = link->task;
        lt->trigger_raw = link->raw;
    }
    return GCAST_OK;
}

/* Stimuli that are sent, and start nothing. */
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
