#include "measure/calibrate/learn_copies.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "model/run_op.h"

typedef struct copies {
    observations *l;                /* where samples go */
    const gcast_run *run;           /* where they are from */
    copy_fit fit[GCAST_DIRECTIONS]; /* of copies alone */
    gcast_status status;            /* of the first sample that failed */
    gcast_error *err;
} copies;

/* Is there an operation i, and is it a copy for this purpose? */
static bool is_for(const copies *c, size_t i, const char *purpose)
{
    return i < c->run->op_count && run_op(c->run, i)->kind == GCAST_KIND_COPY &&
           strncmp(run_op(c->run, i)->label, purpose, strlen(purpose)) == 0;
}

static void add_sample(copies *c, gcast_reading_id id, int64_t v)
{
    if (c->status == GCAST_OK && !vec_push(&c->l->readings[id], v))
        c->status = gcast_error_set_memory(c->err);
}

static int64_t duration(const copies *c, size_t i)
{
    return c->run->ops[i].end_ns - c->run->ops[i].start_ns;
}

/* The time for its bytes at the bandwidth of copies alone. */
static int64_t bytes_ns(const copies *c, size_t i)
{
    return samples_bytes_ns(run_op(c->run, i)->bytes, c->fit[run_op(c->run, i)->direction].bytes_per_s);
}

static bool fit_alone(copies *c, gcast_direction direction)
{
    VEC(copy_point) points = {0};
    for (size_t i = 0; i < c->run->op_count && c->status == GCAST_OK; i++)
        if (is_for(c, i, "alone") && run_op(c->run, i)->direction == direction &&
            !vec_push(&points, ((copy_point){run_op(c->run, i)->bytes, duration(c, i)})))
            c->status = gcast_error_set_memory(c->err);
    bool ok = c->status == GCAST_OK && samples_fit(points.at, points.count, &c->fit[direction]);
    vec_free(&points);
    return ok;
}

/* Two copies that were called together: operations i and i + 1. */
static void learn_pair(copies *c, size_t i, bool opposite)
{
    const gcast_run_op *a = &c->run->ops[i], *b = &c->run->ops[i + 1];
    int64_t alone_ns = bytes_ns(c, i),
            end_distance = a->end_ns < b->end_ns ? b->end_ns - a->end_ns : a->end_ns - b->end_ns;
    if (alone_ns < 1)
        return;
    end_distance = end_distance < alone_ns ? end_distance * 100 / alone_ns : 100; /* percent */
    add_sample(c, opposite ? GCAST_READ_OVERLAP : GCAST_READ_SERIAL, opposite ? 100 - end_distance : end_distance);
    for (size_t k = i; k <= i + 1 && opposite; k++) {
        int64_t transfer = duration(c, k) - c->fit[run_op(c->run, k)->direction].overhead_ns;
        if (transfer > 0)
            add_sample(c, GCAST_READ_BOTH_WAYS, bytes_ns(c, k) * 100 / transfer);
    }
}

static int64_t latency(const copies *c, size_t i)
{
    return c->run->ops[i].start_ns - c->run->ops[i].call_ns;
}

/* The speed of a copy to the host while another goes to the device, in percent of its speed alone. */
static int64_t duplex_percent(const copies *c)
{
    for (size_t i = 0; i < c->run->op_count; i++)
        if (is_for(c, i, "opposite") && run_op(c->run, i)->direction == GCAST_D2H) {
            int64_t transfer = duration(c, i) - c->fit[GCAST_D2H].overhead_ns;
            return transfer > 0 && bytes_ns(c, i) > 0 ? bytes_ns(c, i) * 100 / transfer : 100;
        }
    return 100;
}

/* A copy to the host during a longer one to the device, compared with copies alone. */
static void learn_beside(copies *c, size_t i)
{
    int64_t alone_latency = INT64_MAX, percent = duplex_percent(c);
    for (size_t k = 0; k < c->run->op_count; k++)
        if (is_for(c, k, "alone") && run_op(c->run, k)->direction == GCAST_D2H)
            alone_latency = min_i64(alone_latency, latency(c, k));
    int64_t delay = latency(c, i) - alone_latency;
    int64_t longer = duration(c, i) * percent / 100 - c->fit[GCAST_D2H].overhead_ns - bytes_ns(c, i);
    add_sample(c, GCAST_READ_D2H_START, max_i64(delay, 0));
    add_sample(c, GCAST_READ_D2H_END, max_i64(longer, 0));
}

/* A copy after a pause in which the engines fell asleep. */
static void learn_pause(copies *c, size_t i)
{
    int64_t longer = duration(c, i) - bytes_ns(c, i) - c->fit[run_op(c->run, i)->direction].overhead_ns;
    add_sample(c, GCAST_READ_WAKE, max_i64(longer, 0));
}

/* From the end of copy i to the start of the copy after it. */
static void learn_engine_gap(copies *c, size_t i)
{
    int64_t gap = c->run->ops[i + 1].start_ns - c->run->ops[i].end_ns;
    if (gap >= 0)
        add_sample(c, GCAST_READ_COPY_GAP, gap);
}

gcast_status learn_copies(observations *l, const gcast_run *run, gcast_error *err)
{
    copies c = {.l = l, .run = run, .status = GCAST_OK, .err = err};
    static const gcast_reading_id rates[] = {[GCAST_H2D] = GCAST_READ_H2D, [GCAST_D2H] = GCAST_READ_D2H};
    static const gcast_reading_id overheads[] = {
        [GCAST_H2D] = GCAST_READ_H2D_OVERHEAD, [GCAST_D2H] = GCAST_READ_D2H_OVERHEAD};
    for (int d = GCAST_H2D; d <= GCAST_D2H; d++) {
        if (!fit_alone(&c, (gcast_direction)d))
            return c.status;
        add_sample(&c, rates[d], c.fit[d].bytes_per_s);
        add_sample(&c, overheads[d], max_i64(c.fit[d].overhead_ns, 0));
    }
    for (size_t i = 0; i + 1 < run->op_count && c.status == GCAST_OK; i++) {
        bool same_direction = is_for(&c, i, "same") && is_for(&c, i + 1, "same");
        bool row = is_for(&c, i, "row") && is_for(&c, i + 1, "row") &&
                   run_op(c.run, i)->direction == run_op(c.run, i + 1)->direction;
        if (row)
            add_sample(&c, GCAST_READ_BUSY_OVERHEAD, duration(&c, i + 1) - bytes_ns(&c, i + 1));
        if (row || same_direction)
            learn_engine_gap(&c, i);
        if (is_for(&c, i, "pause"))
            learn_pause(&c, i);
        else if (is_for(&c, i, "beside") && is_for(&c, i + 1, "beside"))
            learn_beside(&c, ++i);
        else if (is_for(&c, i, "opposite") && is_for(&c, i + 1, "opposite"))
            learn_pair(&c, i++, true);
        else if (same_direction)
            learn_pair(&c, i++, false);
    }
    return c.status;
}
