/* What tests of systems' analyses share. */
#ifndef UNIT_ANALYZE_ANALYZED_H
#define UNIT_ANALYZE_ANALYZED_H

#include <string.h>

#include "analyze/system/system_analysis.h"
#include "support/builders.h"
#include "support/make_system.h"
#include "support/support.h"

static inline sys_answer *analyzed(const sys_system *s, const sys_analyze_options *options)
{
    gcast_error err;
    sys_answer *a = NULL;
    assert_ok(system_analyze(s, NULL, options, &a, &err), &err);
    return a;
}

/* For any phase. */
static inline sys_answer *analyzed_anyhow(const sys_system *s)
{
    sys_analyze_options options = system_analyze_options_default();
    options.ignore_offsets = true;
    return analyzed(s, &options);
}

/* Worst times of all tasks, in order. */
#define assert_worst_times(answer, ...)                                                                                \
    do {                                                                                                               \
        const int64_t want_[] = {__VA_ARGS__};                                                                         \
        assert_int_equal((answer)->of->task_count, sizeof want_ / sizeof *want_);                                      \
        for (size_t i_ = 0; i_ < sizeof want_ / sizeof *want_; i_++)                                                   \
            assert_int_equal((answer)->tasks[i_].worst_ns, want_[i_]);                                                 \
    } while (0)

/* A periodic task of one step. */
static inline int add_simple(make_system *m, int core, int64_t priority, int64_t period, int64_t time)
{
    int task = add_periodic(m, "simple", core, priority, period);
    add_run(m, task, time, time);
    return task;
}

static inline void free_both(sys_system *s, sys_answer *a)
{
    system_answer_free(a);
    system_free(s);
}

#endif
