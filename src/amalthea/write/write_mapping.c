/* amalthea_write_mapping: which tasks move, the new text, and a look at what it says now. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amalthea/amalthea.h"
#include "amalthea/scheduler_choice.h"
#include "amalthea/write/mapping_check.h"
#include "amalthea/write/mapping_edits.h"
#include "gridcast/read.h"

static gcast_status not_written(gcast_error *err, const char *task, const char *message)
{
    gcast_error_set(err, GCAST_INPUT, NULL, "the mapping of '%.100s' cannot be written: %s", task, message);
    if (err)
        xml_one_line(err->message);
    return GCAST_INPUT;
}

static int find_unit(const am_model *m, const char *name)
{
    for (size_t i = 0; i < m->unit_count; i++)
        if (m->units[i].kind == AM_UNIT_PROCESSOR && strcmp(m->units[i].name, name) == 0)
            return (int)i;
    return -1;
}

static int find_task(const am_model *m, const sys_task *task)
{
    for (size_t i = 0; i < m->task_count; i++)
        if (m->tasks[i].isr == task->isr && strcmp(m->tasks[i].name, task->name) == 0)
            return (int)i;
    return -1;
}

static const am_allocation *find_allocation(const am_model *m, int task, size_t *count)
{
    const am_allocation *found = NULL;
    *count = 0;
    for (size_t i = 0; i < m->allocation_count; i++)
        if (m->allocations[i].task == task) {
            found = &m->allocations[i];
            ++*count;
        }
    return found;
}

/* The scheduler stays where it is responsible for the new core; the one that is comes in its place. */
static gcast_status choose_scheduler(const am_model *m, moved_task *t, gcast_error *err)
{
    const am_allocation *a = t->allocation;
    int own = a ? a->scheduler : -1, was = own;
    bool gpu = t->to->core == SYS_GPU;
    if (own >= 0 && t->from->core == SYS_GPU) /* on a core it goes by priorities again */
        own = -1;
    t->scheduler = scheduler_for(m, own, t->unit, t->was->isr, gpu);
    if (t->scheduler < 0)
        return not_written(err, t->was->name, "no scheduler of its kind is responsible for its new core");
    if (t->scheduler == was)
        t->scheduler = -1;
    return GCAST_OK;
}

/* What of a task's place changes. */
static gcast_status describe(const am_model *m, const sys_system *s, size_t i, const sys_place *to, moved_task *t,
                             gcast_error *err)
{
    size_t allocations;
    *t = (moved_task){.task = &s->tasks[i], .from = &s->places[i], .to = to, .unit = -1, .scheduler = -1};
    t->number = find_task(m, t->task);
    if (t->number < 0)
        return not_written(err, t->task->name, "the model has no such task");
    t->was = &m->tasks[t->number];
    t->allocation = find_allocation(m, t->number, &allocations);
    if (allocations > 1)
        return not_written(err, t->was->name, "it has several allocations");
    t->waiting = to->busy != t->from->busy;
    t->priority = to->priority != t->from->priority;
    if (to->core == t->from->core && (t->allocation || !t->priority))
        return GCAST_OK;
    const char *name = to->core == SYS_GPU ? s->gpu_name : s->cores[to->core].name;
    t->unit = find_unit(m, name);
    if (t->unit < 0)
        return not_written(err, t->was->name, "the model has no processing unit of the name of its new core");
    /* On the GPU priorities may have been left out, and have no meaning; on a core they have. */
    t->priority = t->priority || !t->allocation ||
                  (to->core != SYS_GPU && (!t->allocation->has_priority || t->allocation->priority != to->priority));
    return choose_scheduler(m, t, err);
}

static bool differs(const sys_place *a, const sys_place *b)
{
    return a->core != b->core || a->priority != b->priority || a->busy != b->busy;
}

static gcast_status edit_all(const am_model *m, const sys_system *s, const sys_place *places, mapping_text *t,
                             gcast_error *err)
{
    mapping_edits edits = {.m = m, .t = t, .err = err};
    text_open(&edits.added, NULL, NULL);
    gcast_status status = GCAST_OK;
    for (size_t i = 0; status == GCAST_OK && i < s->task_count; i++) {
        moved_task task;
        if (!differs(&s->places[i], &places[i]))
            continue;
        status = describe(m, s, i, &places[i], &task, err);
        if (status == GCAST_OK && !edit_task(&edits, &task))
            status = edits.status;
    }
    if (status == GCAST_OK && !edit_finish(&edits))
        status = edits.status;
    edit_free(&edits);
    return status;
}

/* Readers drop a byte order mark; it is a part of the file. */
static bool has_mark(const char *path)
{
    char mark[3] = {0};
    FILE *in = fopen(path, "rb");
    bool found = in && fread(mark, 1, 3, in) == 3 && memcmp(mark, "\xef\xbb\xbf", 3) == 0;
    if (in)
        fclose(in);
    return found;
}

static gcast_status put_mark(char **bytes, size_t *size, gcast_error *err)
{
    char *grown = realloc(*bytes, *size + 4);
    if (!grown)
        return gcast_error_set_memory(err);
    memmove(grown + 3, grown, *size + 1);
    memcpy(grown, "\xef\xbb\xbf", 3);
    *bytes = grown;
    *size += 3;
    return GCAST_OK;
}

static gcast_status write_text(const am_model *m, const sys_system *s, const sys_place *places, const char *path,
                               char *old, size_t old_size, char **bytes, size_t *size, gcast_error *err)
{
    mapping_text t;
    gcast_status status = mapping_text_open(&t, path, old, old_size, err);
    if (status != GCAST_OK)
        return status;
    status = edit_all(m, s, places, &t, err);
    if (status == GCAST_OK && !(*bytes = changed_text(&t, size)))
        status = gcast_error_set_memory(err);
    mapping_text_close(&t);
    if (status == GCAST_OK)
        status = mapping_check(m, s, places, path, *bytes, *size, err);
    return status;
}

gcast_status amalthea_write_mapping(const am_model *m, const sys_system *s, const sys_place *places, const char *path,
                                    char **bytes, size_t *size, gcast_error *err)
{
    char *old;
    size_t old_size;
    *bytes = NULL;
    *size = 0;
    gcast_status status = system_check_places(s, places, err);
    if (status != GCAST_OK)
        return status;
    status = gcast_file_read(path, &old, &old_size, err);
    if (status != GCAST_OK)
        return status;
    status = write_text(m, s, places, path, old, old_size, bytes, size, err);
    if (status == GCAST_OK && has_mark(path))
        status = put_mark(bytes, size, err);
    free(old);
    if (status != GCAST_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}
