/* See call_order.h. */
#include "amalthea/read/call_order.h"

#include <stdlib.h>

#include "base/minmax.h"

/* For each element: where its needs begin in `list`, sorted by who needs. */
typedef struct need_table {
    size_t *begin;  /* count + 1 */
    size_t *list;   /* who needs, by what is needed */
    size_t *wanted; /* how many it needs that are not in the order yet */
} need_table;

static bool make_table(const am_need *needs, size_t need_count, size_t count, need_table *t)
{
    t->begin = calloc(count + 2, sizeof *t->begin);
    t->list = calloc(need_count + 1, sizeof *t->list);
    t->wanted = calloc(count + 1, sizeof *t->wanted);
    if (!t->begin || !t->list || !t->wanted)
        return false;
    for (size_t i = 0; i < need_count; i++) {
        t->begin[needs[i].to + 2]++;
        t->wanted[needs[i].from]++;
    }
    for (size_t i = 2; i < count + 2; i++)
        t->begin[i] += t->begin[i - 1];
    for (size_t i = 0; i < need_count; i++)
        t->list[t->begin[needs[i].to + 1]++] = needs[i].from;
    return true;
}

static size_t sort(const need_table *t, size_t count, size_t *order)
{
    size_t done = 0, known = 0;
    for (size_t i = 0; i < count; i++)
        if (!t->wanted[i])
            order[known++] = i;
    for (; done < known; done++)
        for (size_t k = t->begin[order[done]]; k < t->begin[order[done] + 1]; k++)
            if (--t->wanted[t->list[k]] == 0)
                order[known++] = t->list[k];
    return known;
}

/* Every element that is left needs one that is left: going on from need to need, one of a circle is met again. */
static bool circle(am_reader *r, const am_need *needs, size_t need_count, size_t count, const size_t *wanted,
                   const char *what)
{
    const am_need **next = calloc(count + 1, sizeof *next);
    if (!next)
        return reader_no_memory(r);
    const am_need *at = NULL;
    for (size_t i = 0; i < need_count; i++)
        if (wanted[needs[i].from] && wanted[needs[i].to])
            at = next[needs[i].from] = &needs[i];
    for (size_t i = 0; at && i < count && next[at->to]; i++)
        at = next[at->to];
    const xml_node *n = at ? at->at : r->files.at[0]->tree.root;
    free(next);
    return reader_fail(r, n, "%s in a circle", what);
}

bool need_order(am_reader *r, const am_need *needs, size_t need_count, size_t count, const char *what, size_t *order)
{
    need_table t = {0};
    bool good = make_table(needs, need_count, count, &t) || reader_no_memory(r);
    if (good && sort(&t, count, order) < count)
        good = circle(r, needs, need_count, count, t.wanted, what);
    free(t.begin);
    free(t.list);
    free(t.wanted);
    return good;
}

static size_t add_capped(size_t a, size_t b)
{
    return a + b > MAX_EXPANDED ? MAX_EXPANDED + 1 : a + b;
}

/* Calls come after what they call, so sizes and depths are known when they are needed. */
static bool add_sizes(am_reader *r, const size_t *order, size_t *depths)
{
    size_t count = r->m->runnable_count, calls = r->calls.count, *items = r->runnable_items;
    size_t *first = calloc(count + 1, sizeof *first), *next = calloc(calls + 1, sizeof *next);
    bool good = (first && next) || reader_no_memory(r);
    for (size_t i = calls; good && i-- > 0;) { /* lists of calls by caller; 0 ends one */
        next[i] = first[r->calls.at[i].from];
        first[r->calls.at[i].from] = i + 1;
    }
    for (size_t i = 0; good && i < count; i++)
        for (size_t c = first[order[i]]; good && c; c = next[c - 1]) {
            const am_need *call = &r->calls.at[c - 1];
            items[call->from] = add_capped(items[call->from], items[call->to]);
            depths[call->from] = max_size(depths[call->from], depths[call->to] + 1);
            if (depths[call->from] > MAX_NESTED)
                good = reader_fail(r, call->at, "there are more than %zu calls in each other", MAX_NESTED);
        }
    free(first);
    free(next);
    return good;
}

static bool check_tasks(am_reader *r)
{
    size_t *items = calloc(r->m->task_count + 1, sizeof *items);
    bool good = items || reader_no_memory(r);
    for (size_t i = 0; good && i < r->task_calls.count; i++) {
        const am_need *call = &r->task_calls.at[i];
        items[call->from] = add_capped(items[call->from], r->runnable_items[call->to] + 1);
        if (items[call->from] > MAX_EXPANDED)
            good = reader_fail(r, call->at, "the task runs more than %zu items", MAX_EXPANDED);
    }
    free(items);
    return good;
}

bool check_calls(am_reader *r)
{
    size_t count = r->m->runnable_count;
    size_t *order = calloc(count + 1, sizeof *order), *depths = calloc(count + 1, sizeof *depths);
    bool good = (order && depths) || reader_no_memory(r);
    good = good && need_order(r, r->calls.at, r->calls.count, count, "the runnable calls itself", order) &&
           add_sizes(r, order, depths) && check_tasks(r);
    free(order);
    free(depths);
    return good;
}
