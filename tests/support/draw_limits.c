#include "support/draw_limits.h"

#include "base/integers.h"
#include "support/support.h"

#define MOST_LIMITS 6

typedef struct drawing {
    sys_system *s;
    support_random r;
} drawing;

static void *keep(drawing *d, const void *data, size_t size)
{
    void *copy = arena_copy(&d->s->memory, data, size);
    assert_non_null(copy);
    return copy;
}

static int64_t between(drawing *d, int64_t least, int64_t most)
{
    return support_between(&d->r, least, most);
}

static bool is_seen(const drawing *d, int task, size_t step)
{
    const sys_step *s = &d->s->tasks[task].steps[step];
    return d->s->places[task].core != SYS_GPU && s->kind == SYS_RUN && s->on[0].min_ns > 0;
}

/* A step that an execution shows; false: none was found. */
static bool draw_step(drawing *d, int task, size_t from, size_t *step)
{
    size_t count = d->s->tasks[task].step_count;
    for (int tries = 0; tries < 20; tries++) {
        *step = (size_t)between(d, (int64_t)from, (int64_t)count - 1);
        if (is_seen(d, task, *step))
            return true;
    }
    return false;
}

static sys_event draw_event(drawing *d)
{
    sys_event e = {.name = "event", .task = (int)between(d, 0, (int64_t)d->s->task_count - 1), .point_count = 1};
    sys_point p = {.at = SYS_AT_RELEASE, .sure = true};
    const sys_step *first;
    size_t last = d->s->tasks[e.task].step_count - 1;
    switch (between(d, 0, 5)) {
    case 0:
        break;
    case 1:
        p.at = SYS_AT_END;
        p.step = last;
        break;
    case 2:
        first = &d->s->tasks[e.task].steps[0];
        e.data = between(d, 0, 1) && (first->kind == SYS_TRIGGER || is_seen(d, e.task, 0)) ? SYS_READ : SYS_WRITE;
        if (draw_step(d, e.task, 0, &p.step))
            p.at = SYS_AT_ANY;
        else
            e.data = SYS_NO_DATA;
        break;
    default:
        if (draw_step(d, e.task, 0, &p.step))
            p.at = between(d, 0, 1) ? SYS_AT_START : SYS_AT_END;
        break;
    }
    e.points = keep(d, &p, sizeof p);
    return e;
}

static sys_limit draw_limit(drawing *d)
{
    sys_limit l = {.name = "limit", .on = "", .min_ns = SYS_NO_LIMIT, .max_ns = SYS_NO_LIMIT};
    size_t first, last;
    l.task = (int)between(d, 0, (int64_t)d->s->task_count - 1);
    if (between(d, 0, 2))
        l.min_ns = between(d, 0, 20);
    if (between(d, 0, 2))
        l.max_ns = max_i64(0, l.min_ns) + between(d, 0, 60);
    l.kind = (sys_limit_kind)between(d, 0, 2);
    if (l.kind == SYS_LIMIT_RUNNABLE && draw_step(d, l.task, 0, &first) && draw_step(d, l.task, first, &last)) {
        sys_span span = {.task = l.task, .first = first, .end = last + 1};
        l.spans = keep(d, &span, sizeof span);
        l.span_count = 1;
    } else if (l.kind != SYS_LIMIT_RESPONSE) {
        l.kind = SYS_LIMIT_DELAY;
        l.source = draw_event(d);
        l.target = draw_event(d);
        l.mapping = between(d, 0, 2) ? SYS_MAPPING_REACTION : SYS_MAPPING_ONE_TO_ONE;
    }
    return l;
}

void draw_limits(sys_system *s, uint64_t seed)
{
    drawing d = {s, {seed * 0x9e3779b97f4a7c15u + 1234567}};
    sys_limit limits[MOST_LIMITS];
    support_next(&d.r);
    for (size_t i = 0; i < MOST_LIMITS; i++)
        limits[i] = draw_limit(&d);
    s->limits = keep(&d, limits, sizeof limits);
    s->limit_count = MOST_LIMITS;
}
