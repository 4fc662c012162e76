/* Launches below the axis: an arrow each, labels that cross neither a label nor
 * an arrow. Placed from right to left: a label goes one level below every arrow
 * it passes under, so that shafts of later launches end above it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/timeline/timeline.h"

#define MARK_LABEL PX(10)
#define AFTER_ARROW PX(4)
#define CLOSEST PX(4) /* arrows, on the average */

static int order(const void *a, const void *b)
{
    const timeline_mark *x = a, *y = b;
    if (x->x != y->x)
        return x->x > y->x ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

/* The level below all marks placed before mark i that lie left of `reach`. */
static int level_under(const timeline_mark *marks, size_t i, int32_t reach)
{
    int level = 0;
    for (size_t k = i; k-- > 0 && marks[k].x <= reach;)
        if (marks[k].level >= level)
            level = marks[k].level + 1;
    return level;
}

/* How many launches there are at the place of mark i beside those with a label, where there is room to say it. */
static void tell_hidden(timeline *t, size_t i)
{
    timeline_mark *m = &t->marks.at[i];
    char more[LABEL_SIZE + 32];
    int length = snprintf(more, sizeof more, "%s  +%u more", m->label, m->hidden);
    int32_t reach = m->x + AFTER_ARROW + font_width(more, MARK_LABEL) + PX(3);
    if (m->hidden && m->label[0] && length < LABEL_SIZE && reach <= t->width &&
        level_under(t->marks.at, i, reach) <= m->level)
        memcpy(m->label, more, (size_t)length + 1);
}

/* Where fewer launches have a label than have not, it says nothing to have one. */
static void drop_labels(timeline *t)
{
    size_t labelled = 0;
    for (size_t i = 0; i < t->marks.count; i++)
        labelled += t->marks.at[i].label[0] != '\0';
    if (2 * labelled >= t->marks.count)
        return;
    for (size_t i = 0; i < t->marks.count; i++) {
        t->marks.at[i].label[0] = '\0';
        t->marks.at[i].level = 0;
    }
    t->mark_levels = 1;
}

static bool collect(timeline *t)
{
    const gcast_run *run = t->run;
    for (size_t i = 0; i < run->op_count; i++) {
        int64_t call = run->ops[i].call_ns;
        if (!run_op_ran(run, i) || call < t->shown.from || call >= t->shown.to)
            continue;
        if (!vec_push(&t->marks, ((timeline_mark){.x = timeline_x(t, call), .op = (uint32_t)i})))
            return false;
    }
    if (t->marks.count)
        qsort(t->marks.at, t->marks.count, sizeof *t->marks.at, order);
    return true;
}

/* Would arrows stand on arrows nearly everywhere? */
static bool too_close(const timeline *t)
{
    int64_t places = 0;
    for (size_t i = 0; i < t->marks.count; i++)
        places += !i || t->marks.at[i - 1].x / PX(1) != t->marks.at[i].x / PX(1);
    return places * CLOSEST > t->plot;
}

gcast_status timeline_place_marks(timeline *t, gcast_error *err)
{
    size_t kept = 0;
    if (!collect(t))
        return gcast_error_set_memory(err);
    if (t->overview || too_close(t)) {
        t->unmarked = t->marks.count;
        t->marks.count = 0;
        return GCAST_OK;
    }
    for (size_t i = 0; i < t->marks.count; i++) {
        timeline_mark m = t->marks.at[i];
        timeline_name(t->run, m.op, m.label);
        int32_t reach = m.x + AFTER_ARROW + font_width(m.label, MARK_LABEL) + PX(3);
        m.level = level_under(t->marks.at, kept, reach);
        if (m.level >= MARK_LEVELS || reach > t->width) {
            m.label[0] = '\0';
            m.level = 0;
            if (kept && t->marks.at[kept - 1].x - m.x < PX(2)) { /* hidden by the one there */
                t->marks.at[kept - 1].hidden++;
                continue;
            }
        }
        if (m.level >= t->mark_levels)
            t->mark_levels = m.level + 1;
        t->marks.at[kept++] = m;
    }
    t->marks.count = kept;
    drop_labels(t);
    for (size_t i = 0; i < kept; i++)
        tell_hidden(t, i);
    return GCAST_OK;
}
