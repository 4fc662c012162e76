/* What of a file changes where tasks get other places. */
#ifndef AMALTHEA_WRITE_MAPPING_EDITS_H
#define AMALTHEA_WRITE_MAPPING_EDITS_H

#include "amalthea/model.h"
#include "amalthea/write/mapping_text.h"
#include "base/text/text.h"
#include "model/system/system.h"

/* A task whose place changes. */
typedef struct moved_task {
    const sys_task *task;
    const am_task *was;
    int number;                      /* of `was` */
    const am_allocation *allocation; /* or NULL */
    const sys_place *from, *to;      /* places */
    int unit;                        /* the new processing unit; -1: as before */
    int scheduler;                   /* the new scheduler; -1: as before */
    bool priority, waiting;          /* they change */
} moved_task;

/* An element that allocates a task. */
typedef struct found_allocation {
    xml_node *node;
    const char *class, *name; /* of the task */
} found_allocation;

typedef struct mapping_edits {
    const am_model *m;
    mapping_text *t;
    VEC(found_allocation) allocations; /* of the file */
    bool has_allocations;              /* they were looked for */
    text added;                        /* lines of new allocations */
    gcast_error *err;
    gcast_status status;
} mapping_edits;

/* Makes the changes of one task. */
bool edit_task(mapping_edits *e, const moved_task *task);
/* And puts the new allocations in; the last of them. */
bool edit_finish(mapping_edits *e);
void edit_free(mapping_edits *e);

#endif
