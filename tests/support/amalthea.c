#include "support/amalthea.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *amalthea_text(const char *version, const char *body)
{
    static const char format[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                 "<am:Amalthea xmlns:am=\"http://app4mc.eclipse.org/amalthea/%s\" "
                                 "xmlns:xmi=\"http://www.omg.org/XMI\" "
                                 "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmi:version=\"2.0\">\n"
                                 "%s\n</am:Amalthea>\n";
    size_t size = sizeof format + strlen(version) + strlen(body);
    char *text = malloc(size);
    assert_non_null(text);
    snprintf(text, size, format, version, body);
    return text;
}

am_model *amalthea_of(const char *version, const char *body)
{
    char *text = amalthea_text(version, body);
    am_model *m = NULL;
    gcast_error err;
    assert_ok(amalthea_read_memory("model.amxmi", text, strlen(text), &m, &err), &err);
    free(text);
    return m;
}

am_model *amalthea_new(const char *body)
{
    return amalthea_of("3.3.0", body);
}

am_model *amalthea_file(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, AMALTHEA_DATA "%s", name);
    const char *paths[] = {path};
    am_model *m = NULL;
    gcast_error err;
    assert_ok(amalthea_read(paths, 1, &m, &err), &err);
    return m;
}

void amalthea_refused_bytes(const char *bytes, size_t size, const char *part, const char *file, int line)
{
    am_model *m = NULL;
    gcast_error err = {0};
    gcast_status status = amalthea_read_memory("model.amxmi", bytes, size, &m, &err);
    if (status != GCAST_INPUT || !strstr(err.message, part) || strchr(err.message, '\n') || m ||
        strcmp(err.file, "model.amxmi") != 0) {
        print_message("status %d, file %s:%d, %s: \"%s\" instead of \"%s\"\n", (int)status, err.file, err.line,
                      err.path, err.message, part);
        _fail(file, line);
    }
}

void amalthea_refused(const char *version, const char *body, const char *part, const char *file, int line)
{
    char *text = amalthea_text(version, body);
    amalthea_refused_bytes(text, strlen(text), part, file, line);
    free(text);
}

#define FIND(function, type, list, number, key)                                                                        \
    const type *function(const am_model *m, const char *name)                                                          \
    {                                                                                                                  \
        for (size_t i = 0; i < m->number; i++)                                                                         \
            if (strcmp(key, name) == 0)                                                                                \
                return &m->list[i];                                                                                    \
        fail_msg("there is no %s", name);                                                                              \
        return NULL;                                                                                                   \
    }

FIND(amalthea_task, am_task, tasks, task_count, m->tasks[i].name)
FIND(amalthea_runnable, am_runnable, runnables, runnable_count, m->runnables[i].name)
FIND(amalthea_label, am_label, labels, label_count, m->labels[i].name)
FIND(amalthea_stimulus, am_stimulus, stimuli, stimulus_count, m->stimuli[i].name)
FIND(amalthea_unit, am_unit, units, unit_count, m->units[i].name)
FIND(amalthea_scheduler, am_scheduler, schedulers, scheduler_count, m->schedulers[i].name)
FIND(amalthea_allocation, am_allocation, allocations, allocation_count, m->tasks[m->allocations[i].task].name)

const am_unknown *amalthea_unknown(const am_model *m, const char *what)
{
    for (size_t i = 0; i < m->unknown_count; i++)
        if (strcmp(m->unknown[i].what, what) == 0)
            return &m->unknown[i];
    return NULL;
}
