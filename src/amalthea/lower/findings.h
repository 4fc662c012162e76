/* Findings and errors of a model on its way to a system. */
#ifndef AMALTHEA_LOWER_FINDINGS_H
#define AMALTHEA_LOWER_FINDINGS_H

#include "amalthea/lower/state.h"

/* An error at a place of the model. */
gcast_status lower_error(lowering *l, am_place at, const char *format, ...) GCAST_PRINTF(3, 4);
/* An error in what was given beside the model. */
gcast_status lower_given_error(lowering *l, const char *format, ...) GCAST_PRINTF(2, 3);
gcast_status lower_no_memory(lowering *l);

/* Something that the user should know, with its effects on answers (sys_effect), 0: none. docs/amalthea.md has all of
 * them. It is about all tasks, or about one of the model's tasks. */
gcast_status finding_add(lowering *l, am_place at, unsigned effects, const char *format, ...) GCAST_PRINTF(4, 5);
gcast_status finding_of_task(lowering *l, am_place at, size_t task, unsigned effects, const char *format, ...)
    GCAST_PRINTF(5, 6);
/* About all tasks on the GPU. */
gcast_status finding_of_gpu(lowering *l, am_place at, unsigned effects, const char *format, ...) GCAST_PRINTF(4, 5);
/* The same for what is probably a mistake in the model. */
gcast_status finding_doubt(lowering *l, am_place at, unsigned effects, const char *format, ...) GCAST_PRINTF(4, 5);
gcast_status finding_doubt_of_task(lowering *l, am_place at, size_t task, unsigned effects, const char *format, ...)
    GCAST_PRINTF(5, 6);
/* So many requirements that nothing is said about. */
gcast_status finding_unchecked(lowering *l, am_place at, size_t count, const char *format, ...) GCAST_PRINTF(4, 5);
/* An assumption about limits or chains, which have the effects themselves. */
gcast_status finding_of_limits(lowering *l, am_place at, unsigned effects, const char *format, ...) GCAST_PRINTF(4, 5);
/* About nothing in particular, and about a task of the system. */
am_place lower_nowhere(void);
am_place lower_at_task(const lowering *l, size_t task);

/* A text in the system's arena; NULL without memory, for which the error is set. */
const char *lower_keep(lowering *l, const char *text);
/* Arrays in the system's arena and in the scratch arena; NULL without memory, for which the error is set. */
void *lower_array(lowering *l, size_t count, size_t size);
void *lower_scratch(lowering *l, size_t count, size_t size);

/* Adds a name to a list, and gives it as part of a sentence. */
void names_add(name_list *n, const char *name);
const char *names_text(name_list *n);

#endif
