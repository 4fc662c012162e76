#include "simulate/explain/index/older_ops.h"

#include <stdlib.h>

static int by_place(const void *a, const void *b)
{
    const older_op *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->run_op < y->run_op ? -1 : x->run_op > y->run_op;
}

bool older_ops_add(older_ops *o, int group, uint64_t place, size_t run_op, int64_t until_ns)
{
    older_op x = {.group = group, .place = place, .run_op = run_op, .until_ns = until_ns};
    return vec_push(&o->all, x);
}

static bool is_later(const older_op *x, const older_op *y)
{
    return x->until_ns != y->until_ns ? x->until_ns > y->until_ns : x->run_op < y->run_op;
}

void older_ops_sort(older_ops *o)
{
    older_op *at = o->all.at;
    if (o->all.count)
        qsort(at, o->all.count, sizeof *at, by_place);
    for (size_t i = 0; i < o->all.count; i++) {
        bool follows = i > 0 && at[i - 1].group == at[i].group && !is_later(&at[i], &at[at[i - 1].latest]);
        at[i].latest = follows ? at[i - 1].latest : i;
    }
}

void older_ops_free(older_ops *o)
{
    vec_free(&o->all);
}

/* The first that is not before this group and place. */
static size_t lower_bound(const older_ops *o, int group, uint64_t place)
{
    size_t low = 0, high = o->all.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const older_op *x = &o->all.at[middle];
        if (x->group < group || (x->group == group && x->place < place))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t older_ops_before(const older_ops *o, int group, uint64_t place, size_t *first)
{
    *first = lower_bound(o, group, 0);
    return lower_bound(o, group, place);
}

size_t older_ops_after(const older_ops *o, size_t first, size_t end, int64_t time_ns)
{
    while (first < end) { /* the largest until_ns so far never decreases in a group */
        size_t middle = first + (end - first) / 2;
        if (o->all.at[o->all.at[middle].latest].until_ns <= time_ns)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}
