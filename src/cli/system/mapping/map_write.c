#include "cli/system/mapping/map_write.h"

#include <stdlib.h>

#include "cli/output/output.h"
#include "cli/say.h"

/* The file that has the mapping; where several have, the first of them: writing the others' tasks is then an error. */
static const char *mapping_file(const am_model *m)
{
    return m->allocation_count ? m->allocations[0].at.file : m->files[0];
}

/* The system as the model alone has it: what options say of places is a change, too. */
static gcast_status read_own(const opened_system *o, sys_system **own, gcast_error *err)
{
    sys_given given = *o->given;
    sys_given_task *tasks = calloc(given.task_count + 1, sizeof *tasks);
    if (!tasks)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < given.task_count; i++) {
        tasks[i] = given.tasks[i];
        tasks[i].core = NULL;
        tasks[i].has_priority = tasks[i].has_busy = false;
    }
    given.tasks = tasks;
    given.rate_monotonic = false;
    gcast_status status = amalthea_system(o->model, o->gpu, &given, own, err);
    free(tasks);
    return status;
}

gcast_status map_write_model(const args *a, const opened_system *o, const sys_place *places, const char *path)
{
    gcast_error err;
    sys_system *own = NULL;
    char *bytes = NULL;
    size_t size;
    gcast_status status = read_own(o, &own, &err);
    if (status == GCAST_OK)
        status = amalthea_write_mapping(o->model, own, places, mapping_file(o->model), &bytes, &size, &err);
    status = status == GCAST_OK ? output_bytes(path, args_has(a, "force"), bytes, size) : say_system_error(o->s, &err);
    free(bytes);
    system_free(own);
    return status;
}
