/* Builds AMALTHEA models (amalthea/model.h) by calls, for tests. Each call that adds something gives its index. What
 * was added can be changed through the arrays until model_done. A test fails where there is no room. */
#ifndef TESTS_SUPPORT_MAKE_MODEL_H
#define TESTS_SUPPORT_MAKE_MODEL_H

#include "amalthea/model.h"

#define MODEL_ROOM 40 /* of each sort, and items of a task or runnable */

typedef struct model_row {
    am_item at[MODEL_ROOM];
    size_t count;
} model_row;

typedef struct make_model {
    arena memory;
    am_task tasks[MODEL_ROOM];
    model_row task_items[MODEL_ROOM];
    am_runnable runnables[MODEL_ROOM];
    model_row runnable_items[MODEL_ROOM];
    am_label labels[MODEL_ROOM];
    am_stimulus stimuli[MODEL_ROOM];
    const char *os_events[MODEL_ROOM];
    const char *semaphores[MODEL_ROOM];
    am_definition definitions[MODEL_ROOM];
    am_unit units[MODEL_ROOM];
    am_scheduler schedulers[MODEL_ROOM];
    am_allocation allocations[MODEL_ROOM];
    am_event events[MODEL_ROOM];
    am_chain chains[MODEL_ROOM];
    am_process_chain process_chains[MODEL_ROOM];
    am_limit limits[MODEL_ROOM];
    am_unknown unknown[MODEL_ROOM];
    am_model m; /* counts are kept here */
} make_model;

make_model *make_model_new(void);
void make_model_free(make_model *m);
/* The model as it is now; holds until m is freed. */
const am_model *model_done(make_model *m);

int model_definition(make_model *m, const char *name, am_unit_kind kind, am_pu_type pu);
int model_unit(make_model *m, const char *name, int definition, double hz);
/* Cycles for a line of this memory, to read and to write. */
void model_reaches(make_model *m, int unit, int memory, int64_t read, int64_t write);
int model_label(make_model *m, const char *name, int64_t bytes);
int model_stimulus(make_model *m, const char *name, am_stimulus_kind kind, int64_t period_ns);
int model_os_event(make_model *m, const char *name);
int model_runnable(make_model *m, const char *name);
int model_task(make_model *m, const char *name, int stimulus);
int model_scheduler(make_model *m, const char *name, am_scheduling algorithm, const int *units, size_t count);
/* To one unit, or with unit -1 to those of the scheduler. */
int model_allocate(make_model *m, int task, int scheduler, int unit, int64_t priority);
int model_deadline(make_model *m, const char *name, int task, int64_t ns);
int model_event(make_model *m, const char *name, am_event_kind kind, int entity, const char *type);
void model_property(make_model *m, int runnable, const char *key, const char *value);

am_value model_constant(int64_t value);
am_value model_bounds(int64_t lower, int64_t upper);

/* Items. Their place is line 7 of model.amxmi. */
am_item item_call(int runnable);
am_item item_ticks(make_model *m, int definition, int64_t lower, int64_t upper);
/* Further ticks for another definition. */
void item_ticks_add(make_model *m, am_item *ticks, int definition, int64_t lower, int64_t upper);
am_item item_access(int label, bool write);
am_item item_trigger(int stimulus);
am_item item_event(make_model *m, am_item_kind kind, int event);
am_item item_of(am_item_kind kind);
am_item item_with(make_model *m, am_item_kind kind, const am_item *items, size_t count);

void task_does(make_model *m, int task, am_item item);
void runnable_does(make_model *m, int runnable, am_item item);

#endif
