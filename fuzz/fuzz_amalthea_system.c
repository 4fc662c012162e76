/* Any bytes as an AMALTHEA model that becomes a system: an error is one line, and what is accepted is sound. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "amalthea/amalthea.h"
#include "papers/thesis/thesis_workload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good)
{
    if (!good)
        abort();
}

static void check_error(gcast_status status, const gcast_error *err)
{
    check(status == GCAST_INPUT && err->message[0] && !strchr(err->message, '\n'));
}

static void make_system(const am_model *m, const gcast_gpu *gpu, const sys_given *given)
{
    sys_system *s;
    gcast_error err;
    gcast_status status = amalthea_system(m, gpu, given, &s, &err);
    if (status != GCAST_OK) {
        check_error(status, &err);
        check(!s);
        return;
    }
    check(system_check(s, &err) == GCAST_OK);
    for (size_t i = 0; i < s->task_count; i++) {
        bool among = false;
        for (size_t k = 0; k < s->choices[i].core_count; k++)
            among |= s->choices[i].cores[k] == s->places[i].core;
        check(among);
    }
    for (size_t i = 0; i < s->finding_count; i++)
        check(s->findings[i].text[0] && s->findings[i].file);
    system_free(s);
}

static void make_workload(const am_model *m, const gcast_gpu *gpu, const sys_given *given)
{
    gcast_workload *w;
    int64_t *periods;
    gcast_error err;
    gcast_status status = amalthea_thesis(m, gpu, given, &w, &periods, &err);
    if (status != GCAST_OK) {
        check_error(status, &err);
        return;
    }
    check(gcast_workload_check(w, &err) == GCAST_OK);
    gcast_workload_free(w);
    free(periods);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static gcast_gpu *gpu;
    const sys_given given = {.file = "", .fill = true, .switch_ns = -1, .tick_ps = 1000};
    am_model *m;
    gcast_error err;
    if (!gpu)
        check(gcast_gpu_create("fuzz", 6, 2, 2, &gpu, &err) == GCAST_OK);
    if (amalthea_read_memory("fuzz", (const char *)data, size, &m, &err) != GCAST_OK)
        return 0;
    make_system(m, gpu, &given);
    make_system(m, NULL, NULL);
    make_workload(m, gpu, &given);
    amalthea_free(m);
    return 0;
}
