#include "support/waters.h"

#include <stdio.h>
#include <string.h>

#include "support/support.h"

static const sys_given_access accesses[] = {
    {"A57", {20, 220}, {20, 220}}, {"Denver", {8, 38}, {8, 38}}, {"GPU_def", {3, 3}, {3, 3}}};

#define OFFLOADS(task)                                                                                                 \
    {                                                                                                                  \
        .name = (task), .deadline_ns = -1, .extra = { 2500, 2500 }                                                     \
    }

static const sys_given_task offloading[] = {OFFLOADS("PRE_SFM_gpu_POST"), OFFLOADS("PRE_Localization_gpu_POST"),
                                            OFFLOADS("PRE_Lane_detection_gpu_POST"),
                                            OFFLOADS("PRE_Detection_gpu_POST")};

sys_given waters_filling(void)
{
    return (sys_given){.file = "side.json", .fill = true, .switch_ns = -1};
}

sys_given waters_published(void)
{
    sys_given g = waters_filling();
    g.lines_plus_one = true;
    g.accesses = accesses;
    g.access_count = sizeof accesses / sizeof *accesses;
    g.tasks = offloading;
    g.task_count = sizeof offloading / sizeof *offloading;
    return g;
}

sys_system *waters_system(const char *file, const gcast_gpu *gpu, const sys_given *given)
{
    char path[400];
    gcast_error err = {0};
    am_model *m;
    sys_system *s;
    snprintf(path, sizeof path, SOURCE_DIR "/tests/data/amalthea/waters/%s", file);
    const char *paths[] = {path};
    assert_ok(amalthea_read(paths, 1, &m, &err), &err);
    assert_ok(amalthea_system(m, gpu, given, &s, &err), &err);
    amalthea_free(m);
    return s;
}

gcast_gpu *waters_gpu(const char *name)
{
    gcast_gpu *gpu;
    gcast_error err = {0};
    assert_ok(gcast_gpu_load(name, &gpu, &err), &err);
    return gpu;
}

int system_task(const sys_system *s, const char *name)
{
    for (size_t i = 0; i < s->task_count; i++)
        if (strcmp(s->tasks[i].name, name) == 0)
            return (int)i;
    fail_msg("there is no task %s", name);
    return -1;
}

int system_core(const sys_system *s, const char *name)
{
    for (size_t i = 0; i < s->core_count; i++)
        if (strcmp(s->cores[i].name, name) == 0)
            return (int)i;
    fail_msg("there is no core %s", name);
    return -1;
}

int system_kind(const sys_system *s, const char *name)
{
    for (size_t i = 0; i < s->kind_count; i++)
        if (strcmp(s->kinds[i], name) == 0)
            return (int)i;
    fail_msg("there is no kind %s", name);
    return -1;
}

const sys_step *system_step(const sys_system *s, const char *name)
{
    for (size_t i = 0; i < s->task_count; i++)
        for (size_t k = 0; k < s->tasks[i].step_count; k++)
            if (s->tasks[i].steps[k].kind == SYS_RUN && strcmp(s->tasks[i].steps[k].name, name) == 0)
                return &s->tasks[i].steps[k];
    fail_msg("there is no step %s", name);
    return NULL;
}

const sys_finding *system_finding(const sys_system *s, const char *text)
{
    for (size_t i = 0; i < s->finding_count; i++)
        if (strstr(s->findings[i].text, text))
            return &s->findings[i];
    return NULL;
}
