/* What tests of the bound by hand share: periodic tasks, and worst cases one by one. */
#ifndef UNIT_ANALYZE_BY_BOUND_H
#define UNIT_ANALYZE_BY_BOUND_H

#include "property/hand.h"
#include "support/builders.h"

static inline gcast_analysis *analyze(fixture *f, bool any_order)
{
    gcast_analysis *a;
    gcast_analyze_options options = gcast_analyze_options_default();
    options.any_order = any_order;
    assert_ok(gcast_workload_analyze(f->w, f->gpu, GCAST_METHOD_BOUND, &options, &a, &f->err), &f->err);
    assert_int_equal(a->method, GCAST_METHOD_BOUND);
    return a;
}

#define assert_worst(analysis, ...)                                                                                    \
    do {                                                                                                               \
        const int64_t want[] = {__VA_ARGS__};                                                                          \
        gcast_analysis *a_ = (analysis);                                                                               \
        assert_true(a_->complete);                                                                                     \
        assert_int_equal(a_->response_count, sizeof want / sizeof *want);                                              \
        for (size_t i_ = 0; i_ < sizeof want / sizeof *want; i_++)                                                     \
            assert_int_equal(a_->responses[i_].worst_ns, want[i_]);                                                    \
        gcast_analysis_free(a_);                                                                                       \
    } while (0)

static inline void add_task_at(fixture *f, int s, int64_t period, int64_t jitter, int64_t offset)
{
    gcast_task t = {.name = "task",
                    .stream = s,
                    .period_ns = period,
                    .deadline_ns = period,
                    .jitter_ns = jitter,
                    .offset_ns = offset};
    assert_true(support_add_task(f->w, &t, &f->err) >= 0);
}

static inline void add_task(fixture *f, int s, int64_t period, int64_t jitter)
{
    add_task_at(f, s, period, jitter, 0);
}

#endif
