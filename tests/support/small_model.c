#include "support/small_model.h"

#include <string.h>

#include "support/support.h"

small small_model(void)
{
    small b = {.m = make_model_new()};
    b.cpu = model_definition(b.m, "Cpu", AM_UNIT_PROCESSOR, AM_PU_CPU);
    b.core = model_unit(b.m, "Core0", b.cpu, 1e9);
    b.scheduler = model_scheduler(b.m, "Scheduler", AM_SCHEDULING_FIXED_PRIORITY, &b.core, 1);
    b.stimulus = model_stimulus(b.m, "every_10ms", AM_STIMULUS_PERIODIC, 10000000);
    b.task = model_task(b.m, "T", b.stimulus);
    model_allocate(b.m, b.task, b.scheduler, b.core, 1);
    return b;
}

int small_task(small *b, const char *name, int stimulus)
{
    int t = model_task(b->m, name, stimulus);
    model_allocate(b->m, t, b->scheduler, b->core, 1);
    return t;
}

int small_runnable(small *b, const char *name, int64_t lower, int64_t upper)
{
    int r = model_runnable(b->m, name);
    runnable_does(b->m, r, item_ticks(b->m, -1, lower, upper));
    return r;
}

small small_busy_model(void)
{
    small b = small_model();
    task_does(b.m, b.task, item_call(small_runnable(&b, "R", 1000, 2000)));
    return b;
}

sys_system *small_system(small *b, const sys_given *given)
{
    gcast_error err = {0};
    sys_system *s;
    assert_ok(amalthea_system(model_done(b->m), b->gpu, given, &s, &err), &err);
    return s;
}

void small_free(small *b, sys_system *s)
{
    system_free(s);
    make_model_free(b->m);
}

void small_refused(small *b, const sys_given *given, const char *text)
{
    gcast_error err = {0};
    sys_system *s;
    assert_int_equal(amalthea_system(model_done(b->m), b->gpu, given, &s, &err), GCAST_INPUT);
    assert_null(s);
    if (!strstr(err.message, text))
        fail_msg("\"%s\" does not say \"%s\"", err.message, text);
    make_model_free(b->m);
}
