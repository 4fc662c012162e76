#include "support/make_model.h"

#include <stdlib.h>
#include <string.h>

#include "support/support.h"

static const char file_name[] = "model.amxmi";
static const char *const files[] = {file_name};
static const am_place here = {file_name, 7};

#define ADD(m, array, counter, ...)                                                                                    \
    do {                                                                                                               \
        assert_true((m)->m.counter < MODEL_ROOM);                                                                      \
        (m)->array[(m)->m.counter++] = (__VA_ARGS__);                                                                  \
    } while (0)

#define LAST(m, counter) ((int)(m)->m.counter - 1)

make_model *make_model_new(void)
{
    make_model *m = calloc(1, sizeof *m);
    assert_non_null(m);
    return m;
}

void make_model_free(make_model *m)
{
    arena_free(&m->memory);
    free(m);
}

static void *keep(make_model *m, const void *data, size_t size)
{
    void *p = size ? arena_copy(&m->memory, data, size) : arena_alloc(&m->memory, 1);
    assert_non_null(p);
    return p;
}

const am_model *model_done(make_model *m)
{
    am_model *out = &m->m;
    out->version = "2.0.0";
    out->files = files;
    out->file_count = 1;
    for (size_t i = 0; i < out->task_count; i++) {
        m->tasks[i].items = m->task_items[i].at;
        m->tasks[i].item_count = m->task_items[i].count;
    }
    for (size_t i = 0; i < out->runnable_count; i++) {
        m->runnables[i].items = m->runnable_items[i].at;
        m->runnables[i].item_count = m->runnable_items[i].count;
    }
    out->tasks = m->tasks;
    out->runnables = m->runnables;
    out->labels = m->labels;
    out->stimuli = m->stimuli;
    out->os_events = m->os_events;
    out->semaphores = m->semaphores;
    out->definitions = m->definitions;
    out->units = m->units;
    out->schedulers = m->schedulers;
    out->allocations = m->allocations;
    out->events = m->events;
    out->chains = m->chains;
    out->process_chains = m->process_chains;
    out->limits = m->limits;
    out->unknown = m->unknown;
    return out;
}

int model_definition(make_model *m, const char *name, am_unit_kind kind, am_pu_type pu)
{
    ADD(m, definitions, definition_count,
        (am_definition){.name = name, .kind = kind, .pu = pu, .size_bits = -1, .line_bits = -1, .at = here});
    return LAST(m, definition_count);
}

int model_unit(make_model *m, const char *name, int definition, double hz)
{
    ADD(m, units, unit_count,
        (am_unit){.name = name,
                  .kind = definition < 0 ? AM_UNIT_PROCESSOR : m->definitions[definition].kind,
                  .definition = definition,
                  .frequency = hz,
                  .at = here});
    return LAST(m, unit_count);
}

void model_reaches(make_model *m, int unit, int memory, int64_t read, int64_t write)
{
    am_unit *u = &m->units[unit];
    am_access_element *grown = arena_alloc_array(&m->memory, u->access_count + 1, sizeof *grown);
    assert_non_null(grown);
    for (size_t i = 0; i < u->access_count; i++)
        grown[i] = u->accesses[i];
    grown[u->access_count++] = (am_access_element){
        .destination = memory, .read_latency = model_constant(read), .write_latency = model_constant(write)};
    u->accesses = grown;
}

int model_label(make_model *m, const char *name, int64_t bytes)
{
    ADD(m, labels, label_count, (am_label){.name = name, .bits = bytes < 0 ? -1 : bytes * 8, .memory = -1, .at = here});
    return LAST(m, label_count);
}

int model_stimulus(make_model *m, const char *name, am_stimulus_kind kind, int64_t period_ns)
{
    ADD(m, stimuli, stimulus_count,
        (am_stimulus){.name = name,
                      .kind = kind,
                      .recurrence_ps = period_ns > 0 ? period_ns * 1000 : -1,
                      .min_distance_ps = -1,
                      .at = here});
    return LAST(m, stimulus_count);
}

int model_os_event(make_model *m, const char *name)
{
    ADD(m, os_events, os_event_count, name);
    return LAST(m, os_event_count);
}

int model_runnable(make_model *m, const char *name)
{
    ADD(m, runnables, runnable_count, (am_runnable){.name = name, .at = here});
    return LAST(m, runnable_count);
}

int model_task(make_model *m, const char *name, int stimulus)
{
    ADD(m, tasks, task_count,
        (am_task){.name = name,
                  .stimuli = keep(m, &stimulus, sizeof stimulus),
                  .stimulus_count = stimulus < 0 ? 0 : 1,
                  .at = here});
    return LAST(m, task_count);
}

int model_scheduler(make_model *m, const char *name, am_scheduling algorithm, const int *units, size_t count)
{
    static const char *const names[AM_SCHEDULINGS] = {
#define X(id, text) [AM_SCHEDULING_##id] = text,
        AM_SCHEDULING_TABLE(X)
#undef X
    };
    ADD(m, schedulers, scheduler_count,
        (am_scheduler){.name = name,
                       .algorithm = algorithm,
                       .algorithm_name = names[algorithm],
                       .parent = -1,
                       .executing_unit = -1,
                       .units = keep(m, units, count * sizeof *units),
                       .unit_count = count,
                       .at = here});
    return LAST(m, scheduler_count);
}

int model_allocate(make_model *m, int task, int scheduler, int unit, int64_t priority)
{
    ADD(m, allocations, allocation_count,
        (am_allocation){.task = task,
                        .scheduler = scheduler,
                        .affinity = keep(m, &unit, sizeof unit),
                        .affinity_count = unit < 0 ? 0 : 1,
                        .has_priority = true,
                        .priority = priority,
                        .at = here});
    return LAST(m, allocation_count);
}

int model_deadline(make_model *m, const char *name, int task, int64_t ns)
{
    ADD(m, limits, limit_count,
        (am_limit){.name = name,
                   .kind = AM_LIMIT_PROCESS,
                   .metric = AM_METRIC_RESPONSE,
                   .entity = task,
                   .source = -1,
                   .target = -1,
                   .lower_ps = -1,
                   .upper_ps = ns * 1000,
                   .severity = "",
                   .at = here});
    return LAST(m, limit_count);
}

int model_event(make_model *m, const char *name, am_event_kind kind, int entity, const char *type)
{
    ADD(m, events, event_count,
        (am_event){
            .name = name, .kind = kind, .entity = entity, .process = -1, .runnable = -1, .type = type, .at = here});
    return LAST(m, event_count);
}

void model_property(make_model *m, int runnable, const char *key, const char *value)
{
    am_runnable *r = &m->runnables[runnable];
    am_property *grown = arena_alloc_array(&m->memory, r->property_count + 1, sizeof *grown);
    assert_non_null(grown);
    for (size_t i = 0; i < r->property_count; i++)
        grown[i] = r->properties[i];
    grown[r->property_count++] = (am_property){.key = key, .value = value, .at = here};
    r->properties = grown;
}

am_value model_bounds(int64_t lower, int64_t upper)
{
    return (am_value){.given = true,
                      .kind = lower == upper ? AM_CONSTANT : AM_BOUNDARIES,
                      .bounded_below = true,
                      .bounded_above = true,
                      .lower = lower,
                      .upper = upper,
                      .average = -1,
                      .at = here};
}

am_value model_constant(int64_t value)
{
    return model_bounds(value, value);
}

am_item item_of(am_item_kind kind)
{
    return (am_item){.kind = kind,
                     .least = 1,
                     .most = 1,
                     .name = "",
                     .probability = -1,
                     .runnable = -1,
                     .label = -1,
                     .stimulus = -1,
                     .process = -1,
                     .semaphore = -1,
                     .at = here};
}

am_item item_call(int runnable)
{
    am_item item = item_of(AM_ITEM_CALL);
    item.runnable = runnable;
    return item;
}

void item_ticks_add(make_model *m, am_item *ticks, int definition, int64_t lower, int64_t upper)
{
    am_ticks *grown = arena_alloc_array(&m->memory, ticks->tick_count + 1, sizeof *grown);
    assert_non_null(grown);
    for (size_t i = 0; i < ticks->tick_count; i++)
        grown[i] = ticks->ticks[i];
    grown[ticks->tick_count++] = (am_ticks){definition, model_bounds(lower, upper)};
    ticks->ticks = grown;
}

am_item item_ticks(make_model *m, int definition, int64_t lower, int64_t upper)
{
    am_item item = item_of(AM_ITEM_TICKS);
    item_ticks_add(m, &item, definition, lower, upper);
    return item;
}

am_item item_access(int label, bool write)
{
    am_item item = item_of(AM_ITEM_ACCESS);
    item.label = label;
    item.write = write;
    return item;
}

am_item item_trigger(int stimulus)
{
    am_item item = item_of(AM_ITEM_TRIGGER);
    item.stimulus = stimulus;
    return item;
}

am_item item_event(make_model *m, am_item_kind kind, int event)
{
    am_item item = item_of(kind);
    item.events = keep(m, &event, sizeof event);
    item.event_count = 1;
    return item;
}

am_item item_with(make_model *m, am_item_kind kind, const am_item *items, size_t count)
{
    am_item item = item_of(kind);
    item.items = keep(m, items, count * sizeof *items);
    item.item_count = count;
    return item;
}

static void push(model_row *row, am_item item)
{
    assert_true(row->count < MODEL_ROOM);
    row->at[row->count++] = item;
}

void task_does(make_model *m, int task, am_item item)
{
    push(&m->task_items[task], item);
}

void runnable_does(make_model *m, int runnable, am_item item)
{
    push(&m->runnable_items[runnable], item);
}
