#include "amalthea/lower/limits/step_places.h"

#include <string.h>

#include "amalthea/lower/findings.h"
#include "amalthea/lower/item_walk.h"

#define MAX_LOOKED_AT 100000000 /* items, steps and runnables, in all searches together */

/* Is it in some items? From less to more. */
typedef enum { NOT_KNOWN, NOT_THERE, MAY_BE_THERE, SURELY_THERE } presence;

typedef struct looking {
    lowering *l;
    const place_search *what;
    unsigned char *known; /* for each runnable: a presence */
} looking;

static gcast_status count(lowering *l, size_t looked_at, am_place at)
{
    l->looked_at += looked_at;
    return l->looked_at > MAX_LOOKED_AT
               ? lower_error(l, at, "Too many limits in a model of this size: more than %d things are to be looked at.",
                             MAX_LOOKED_AT)
               : GCAST_OK;
}

/* `in` is the runnable whose item it is, or -1. */
static bool is_match(const place_search *what, const am_item *item, int in)
{
    if (item->kind == AM_ITEM_CALL || (item->kind == AM_ITEM_SERVER_CALL && !item->asynchronous))
        return what->runnable >= 0 && item->runnable == what->runnable;
    return item->kind == AM_ITEM_ACCESS && what->label >= 0 && item->label == what->label &&
           (item->write ? what->writes : what->reads) && (what->within < 0 || what->within == in);
}

static gcast_status look(looking *k, const am_item *item, int in, int depth, presence *is);

static gcast_status look_in(looking *k, const am_item *items, size_t item_count, int in, int depth, presence *is)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < item_count && status == GCAST_OK && *is != SURELY_THERE; i++) {
        presence one = NOT_THERE;
        status = look(k, &items[i], in, depth, &one);
        *is = one > *is ? one : *is;
    }
    return status;
}

static gcast_status look_in_runnable(looking *k, int runnable, int depth, presence *is)
{
    const am_runnable *r = &k->l->m->runnables[runnable];
    gcast_status status = GCAST_OK;
    *is = (presence)k->known[runnable];
    if (*is == NOT_KNOWN) {
        *is = NOT_THERE;
        status = look_in(k, r->items, r->item_count, runnable, depth + 1, is);
        k->known[runnable] = (unsigned char)*is;
    }
    return status;
}

static gcast_status look(looking *k, const am_item *item, int in, int depth, presence *is)
{
    bool calls = item->kind == AM_ITEM_CALL || (item->kind == AM_ITEM_SERVER_CALL && !item->asynchronous);
    bool may_skip = item->kind == AM_ITEM_SWITCH || item->kind == AM_ITEM_LOOP || item->most > 1 || item->least < 1;
    if (depth > LOWER_DEPTH)
        return lower_error(k->l, item->at, "Items and calls are nested deeper than %d levels.", LOWER_DEPTH);
    gcast_status status = count(k->l, 1, item->at);
    *is = NOT_THERE;
    if (is_match(k->what, item, in))
        *is = SURELY_THERE;
    else if (status == GCAST_OK && calls && item->runnable >= 0)
        status = look_in_runnable(k, item->runnable, depth, is);
    else if (status == GCAST_OK)
        status = look_in(k, item->items, item->item_count, in, depth + 1, is);
    if (may_skip && *is == SURELY_THERE)
        *is = MAY_BE_THERE;
    return status;
}

static gcast_status add(lowering *l, place_list *places, step_place place)
{
    return vec_push(places, place) ? GCAST_OK : lower_no_memory(l);
}

/* Steps that a runnable has for itself. */
static gcast_status add_spans(looking *k, const lowered_task *t, place_list *places)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < t->span_count && status == GCAST_OK; i++) {
        const raw_span *span = &t->spans[i];
        if (span->runnable == k->what->runnable)
            status = add(k->l, places,
                         (step_place){.first = t->step_of[span->first],
                                      .end = t->step_of[span->end],
                                      .inside = span->repeated,
                                      .sure = !span->repeated});
    }
    return status;
}

/* Steps of which it is a part. */
static gcast_status add_inside(looking *k, const lowered_task *t, place_list *places)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < t->raw_count && status == GCAST_OK; i++) {
        const raw_step *raw = &t->raw[i];
        presence is = NOT_THERE;
        if (raw->kind != RAW_RUN || (k->what->runnable >= 0 && raw->runnable == k->what->runnable))
            continue;
        for (size_t n = 0; n < raw->item_count && status == GCAST_OK && is != SURELY_THERE; n++) {
            presence one;
            status = look(k, raw->items[n], raw->of, 0, &one);
            is = one > is ? one : is;
        }
        if (status == GCAST_OK && is != NOT_THERE && raw->maybe)
            return lower_error(k->l, raw->items[0]->at,
                               "Limits on what a switch does that goes on after it has triggered a task are not "
                               "analysed (in %s).",
                               raw->name);
        if (status == GCAST_OK && is != NOT_THERE && t->step_of[i] < t->step_of[i + 1])
            status = add(k->l, places,
                         (step_place){t->step_of[i], t->step_of[i + 1], true, is == SURELY_THERE && !raw->spare});
    }
    return status;
}

bool steps_loose(const lowering *l, int task, size_t first, size_t end)
{
    const lowered_task *t = &l->tasks[task];
    for (size_t i = 0; i < t->raw_count; i++)
        if (t->raw[i].loose && t->step_of[i] < end && t->step_of[i + 1] > first)
            return true;
    return false;
}

gcast_status step_places_find(lowering *l, int task, const place_search *what, place_list *places)
{
    const lowered_task *t = &l->tasks[task];
    size_t runnables = l->m->runnable_count;
    if (!l->found_in)
        l->found_in = lower_scratch(l, runnables, sizeof *l->found_in);
    if (!l->found_in)
        return GCAST_RESOURCE;
    memset(l->found_in, NOT_KNOWN, runnables);
    looking k = {l, what, l->found_in};
    gcast_status status = count(l, runnables / 64 + t->span_count + t->raw_count, l->m->tasks[task].at);
    if (status == GCAST_OK && what->runnable >= 0)
        status = add_spans(&k, t, places);
    return status == GCAST_OK ? add_inside(&k, t, places) : status;
}
