#include "report/timeline/launch_marks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/run_op.h"
#include "report/run/display_names.h"

#define MARK_FONT PX(10)
#define ARROW_GAP PX(4)    /* from an arrow to its label */
#define MIN_DISTANCE PX(4) /* of arrows, on average */

static int from_right_to_left(const void *a, const void *b)
{
    const timeline_mark *x = a, *y = b;
    if (x->x != y->x)
        return x->x > y->x ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

/* The first level below all marks before mark i, which are right of it, up to `right`. */
static int level_below(const timeline_mark *marks, size_t i, int32_t right)
{
    int level = 0;
    for (size_t k = i; k-- > 0 && marks[k].x <= right;)
        if (marks[k].level >= level)
            level = marks[k].level + 1;
    return level;
}

/* Adds to the label of mark i how many launches at its place are not shown, if that fits. */
static void label_hidden(timeline *t, size_t i)
{
    timeline_mark *m = &t->marks.at[i];
    char longer_label[LABEL_SIZE + 32];
    int length = snprintf(longer_label, sizeof longer_label, "%s  +%u more", m->label, m->hidden);
    int32_t right = m->x + ARROW_GAP + font_width(longer_label, MARK_FONT) + PX(3);
    if (m->hidden && m->label[0] && length < LABEL_SIZE && right <= t->width &&
        level_below(t->marks.at, i, right) <= m->level)
        memcpy(m->label, longer_label, (size_t)length + 1);
}

/* Drops all labels where fewer than half of the launches have one. */
static void drop_few_labels(timeline *t)
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
        if (!run_op_ran(run, i) || call < t->shown.start_ns || call >= t->shown.end_ns)
            continue;
        if (!vec_push(&t->marks, ((timeline_mark){.x = timeline_x(t, call), .op = (uint32_t)i})))
            return false;
    }
    if (t->marks.count)
        qsort(t->marks.at, t->marks.count, sizeof *t->marks.at, from_right_to_left);
    return true;
}

/* Are there so many arrows that they would cover each other? */
static bool too_close(const timeline *t)
{
    int64_t places = 0;
    for (size_t i = 0; i < t->marks.count; i++)
        places += !i || t->marks.at[i - 1].x / PX(1) != t->marks.at[i].x / PX(1);
    return places * MIN_DISTANCE > t->plot;
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
        int32_t right = m.x + ARROW_GAP + font_width(m.label, MARK_FONT) + PX(3);
        m.level = level_below(t->marks.at, kept, right);
        if (m.level >= MARK_LEVELS || right > t->width) {
            m.label[0] = '\0';
            m.level = 0;
            if (kept && t->marks.at[kept - 1].x - m.x < PX(2)) { /* the mark that is there hides it */
                t->marks.at[kept - 1].hidden++;
                continue;
            }
        }
        if (m.level >= t->mark_levels)
            t->mark_levels = m.level + 1;
        t->marks.at[kept++] = m;
    }
    t->marks.count = kept;
    drop_few_labels(t);
    for (size_t i = 0; i < kept; i++)
        label_hidden(t, i);
    return GCAST_OK;
}
