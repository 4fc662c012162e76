/* The smallest model that makes a system: one core of 1 GHz with a fixed-priority scheduler, and a task T of 10 ms on
 * it. Tests add to it. */
#ifndef TESTS_SUPPORT_SMALL_MODEL_H
#define TESTS_SUPPORT_SMALL_MODEL_H

#include "amalthea/amalthea.h"
#include "support/make_model.h"

typedef struct small {
    make_model *m;
    const gcast_gpu *gpu; /* that is named; NULL: none */
    int cpu, core, scheduler, stimulus, task;
} small;

small small_model(void);
/* A further task on the same core, of priority 1. */
int small_task(small *b, const char *name, int stimulus);
/* A runnable of these ticks on any processing unit. */
int small_runnable(small *b, const char *name, int64_t lower, int64_t upper);
/* The system; `given` may be NULL. */
sys_system *small_system(small *b, const sys_given *given);
/* Frees both. */
void small_free(small *b, sys_system *s);
/* The model is refused, and the error has this text; frees the model. */
void small_refused(small *b, const sys_given *given, const char *text);
/* The only task: it calls a runnable R of 1000 to 2000 ticks. */
small small_busy_model(void);

#endif
