/* What tests of limits share. */
#ifndef UNIT_ANALYZE_LIMITED_H
#define UNIT_ANALYZE_LIMITED_H

#include "gridcast/names.h"
#include "unit/analyze/analyzed.h"

#define NONE SYS_NO_LIMIT

#define EVENT(of, when, which)                                                                                         \
    (sys_event)                                                                                                        \
    {                                                                                                                  \
        .name = "event", .task = (of), .points = (const sys_point[]){{when, which, true}}, .point_count = 1            \
    }

static inline void check(const sys_answer *a, int limit, int64_t best, int64_t worst, gcast_deadline_verdict verdict)
{
    const sys_limit_answer *r = &a->limits[limit];
    if (r->best_ns != best || r->worst_ns != worst || r->verdict != verdict)
        fail_msg("limit %d: %lld to %lld, %s", limit, (long long)r->best_ns, (long long)r->worst_ns,
                 gcast_name(GCAST_NAMES_VERDICT, r->verdict));
}

#endif
