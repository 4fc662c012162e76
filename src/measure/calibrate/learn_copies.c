/* What the copies of a calibration say, run by run: bandwidth and overhead from
 * copies alone, then what others beside them change. */
#include <string.h>

#include "measure/calibrate/learn.h"

typedef struct copies {
    lessons *l;
    const gcast_run *run;
    copy_fit fit[GCAST_DIRECTIONS];
    gcast_status status;
    gcast_error *err;
} copies;

static const gcast_op *spec(const copies *c, size_t i)
{
    return &c->run->workload->ops[c->run->ops[i].op];
}

/* Is op i there, a copy, and part of that? */
static bool is(const copies *c, size_t i, const char *part)
{
    return i < c->run->op_count && spec(c, i)->kind == GCAST_KIND_COPY &&
           strncmp(spec(c, i)->label, part, strlen(part)) == 0;
}

static void add(copies *c, gcast_reading_id id, int64_t v)
{
    if (c->status == GCAST_OK && !vec_push(&c->l->seen[id], v))
        c->status = gcast_error_set_memory(c->err);
}

static int64_t took(const copies *c, size_t i)
{
    return c->run->ops[i].end_ns - c->run->ops[i].start_ns;
}

/* What its bytes take alone. */
static int64_t bytes_ns(const copies *c, size_t i)
{
    return samples_bytes_ns(spec(c, i)->bytes, c->fit[spec(c, i)->direction].bytes_per_s);
}

static bool fit_alone(copies *c, gcast_direction direction)
{
    VEC(copy_point) points = {0};
    for (size_t i = 0; i < c->run->op_count && c->status == GCAST_OK; i++)
        if (is(c, i, "alone") && spec(c, i)->direction == direction &&
            !vec_push(&points, ((copy_point){spec(c, i)->bytes, took(c, i)})))
            c->status = gcast_error_set_memory(c->err);
    bool ok = c->status == GCAST_OK && samples_fit(points.at, points.count, &c->fit[direction]);
    vec_free(&points);
    return ok;
}

/* Two copies that were called together: ops i and i + 1. */
static void learn_pair(copies *c, size_t i, bool opposite)
{
    const gcast_run_op *a = &c->run->ops[i], *b = &c->run->ops[i + 1];
    int64_t whole = bytes_ns(c, i), apart = a->end_ns < b->end_ns ? b->end_ns - a->end_ns : a->end_ns - b->end_ns;
    if (whole < 1)
        return;
    apart = apart < whole ? apart * 100 / whole : 100;
    add(c, opposite ? GCAST_READ_OVERLAP : GCAST_READ_SERIAL, opposite ? 100 - apart : apart);
    for (size_t k = i; k <= i + 1 && opposite; k++) {
        int64_t moving = took(c, k) - c->fit[spec(c, k)->direction].overhead_ns;
        if (moving > 0)
            add(c, GCAST_READ_BOTH_WAYS, bytes_ns(c, k) * 100 / moving);
    }
}

static int64_t latency(const copies *c, size_t i)
{
    return c->run->ops[i].start_ns - c->run->ops[i].call_ns;
}

/* Of a copy to the host while another goes to the device, in percent of its speed alone. */
static int64_t slowed(const copies *c)
{
    for (size_t i = 0; i < c->run->op_count; i++)
        if (is(c, i, "opposite") && spec(c, i)->direction == GCAST_D2H) {
            int64_t moving = took(c, i) - c->fit[GCAST_D2H].overhead_ns;
            return moving > 0 && bytes_ns(c, i) > 0 ? bytes_ns(c, i) * 100 / moving : 100;
        }
    return 100;
}

/* A copy to the host beside a longer one to the device, against those alone. */
static void learn_beside(copies *c, size_t i)
{
    int64_t usual = INT64_MAX, percent = slowed(c);
    for (size_t k = 0; k < c->run->op_count; k++)
        if (is(c, k, "alone") && spec(c, k)->direction == GCAST_D2H && latency(c, k) < usual)
            usual = latency(c, k);
    int64_t later = latency(c, i) - usual;
    int64_t longer = took(c, i) * percent / 100 - c->fit[GCAST_D2H].overhead_ns - bytes_ns(c, i);
    add(c, GCAST_READ_D2H_START, later > 0 ? later : 0);
    add(c, GCAST_READ_D2H_END, longer > 0 ? longer : 0);
}

static void learn_pause(copies *c, size_t i)
{
    int64_t longer = took(c, i) - bytes_ns(c, i) - c->fit[spec(c, i)->direction].overhead_ns;
    add(c, GCAST_READ_WAKE, longer > 0 ? longer : 0);
}

/* From the end of the copy that went before to its start. */
static void learn_engine_gap(copies *c, size_t i)
{
    int64_t gap = c->run->ops[i + 1].start_ns - c->run->ops[i].end_ns;
    if (gap >= 0)
        add(c, GCAST_READ_COPY_GAP, gap);
}

gcast_status learn_copies(lessons *l, const gcast_run *run, gcast_error *err)
{
    copies c = {.l = l, .run = run, .status = GCAST_OK, .err = err};
    static const gcast_reading_id speed[] = {[GCAST_H2D] = GCAST_READ_H2D, [GCAST_D2H] = GCAST_READ_D2H};
    static const gcast_reading_id rest[] = {
        [GCAST_H2D] = GCAST_READ_H2D_OVERHEAD, [GCAST_D2H] = GCAST_READ_D2H_OVERHEAD};
    for (int d = GCAST_H2D; d <= GCAST_D2H; d++) {
        if (!fit_alone(&c, (gcast_direction)d))
            return c.status;
        int64_t overhead = c.fit[d].overhead_ns > 0 ? c.fit[d].overhead_ns : 0;
        add(&c, speed[d], c.fit[d].bytes_per_s);
        add(&c, rest[d], overhead);
    }
    for (size_t i = 0; i + 1 < run->op_count && c.status == GCAST_OK; i++) {
        bool same = is(&c, i, "same") && is(&c, i + 1, "same");
        bool row = is(&c, i, "row") && is(&c, i + 1, "row") && spec(&c, i)->direction == spec(&c, i + 1)->direction;
        if (row)
            add(&c, GCAST_READ_BUSY_OVERHEAD, took(&c, i + 1) - bytes_ns(&c, i + 1));
        if (row || same)
            learn_engine_gap(&c, i);
        if (is(&c, i, "pause"))
            learn_pause(&c, i);
        else if (is(&c, i, "beside") && is(&c, i + 1, "beside"))
            learn_beside(&c, ++i);
        else if (is(&c, i, "opposite") && is(&c, i + 1, "opposite"))
            learn_pair(&c, i++, true);
        else if (same)
            learn_pair(&c, i++, false);
    }
    return c.status;
}
