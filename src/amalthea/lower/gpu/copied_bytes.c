#include "amalthea/lower/gpu/copied_bytes.h"

#include "amalthea/lower/findings.h"
#include "amalthea/lower/item_walk.h"
#include "amalthea/lower/properties.h"
#include "amalthea/lower/time/memory_cost.h"
#include "amalthea/lower/time/runnable_cost.h"
#include "base/checked.h"
#include "base/minmax.h"

/* Whose code is walked: it may say how often its loops run. */
typedef struct byte_walk {
    lowering *l;
    const am_property *properties;
    size_t property_count;
    int depth;
} byte_walk;

static gcast_status bytes_of_item(const byte_walk *w, const am_item *item, copied_bytes *out);

static int64_t sum_of(int64_t a, int64_t b)
{
    return checked_add(a, b, &a) ? a : INT64_MAX;
}

static int64_t times_of(int64_t a, int64_t times)
{
    return checked_mul(a, times, &a) ? a : INT64_MAX;
}

static void add(copied_bytes *to, const copied_bytes *more)
{
    to->read.least = sum_of(to->read.least, more->read.least);
    to->read.most = sum_of(to->read.most, more->read.most);
    to->written.least = sum_of(to->written.least, more->written.least);
    to->written.most = sum_of(to->written.most, more->written.most);
    to->times = max_i64(to->times, more->times);
}

static void either(copied_bytes *to, const copied_bytes *other)
{
    to->read.least = min_i64(to->read.least, other->read.least);
    to->read.most = max_i64(to->read.most, other->read.most);
    to->written.least = min_i64(to->written.least, other->written.least);
    to->written.most = max_i64(to->written.most, other->written.most);
    to->times = max_i64(to->times, other->times);
}

static void repeat(copied_bytes *b, int64_t least, int64_t most)
{
    b->read.least = times_of(b->read.least, least);
    b->read.most = times_of(b->read.most, most);
    b->written.least = times_of(b->written.least, least);
    b->written.most = times_of(b->written.most, most);
    b->times = times_of(b->times, most);
}

static gcast_status bytes_of_row(const byte_walk *w, const am_item *items, size_t count, copied_bytes *out)
{
    byte_walk inner = *w;
    gcast_status status = GCAST_OK;
    inner.depth++;
    *out = (copied_bytes){0};
    for (size_t i = 0; i < count && status == GCAST_OK; i++) {
        copied_bytes one = {0};
        status = bytes_of_item(&inner, &items[i], &one);
        add(out, &one);
    }
    return status;
}

/* The least and the most of the branches. */
static gcast_status bytes_of_switch(const byte_walk *w, const am_item *item, copied_bytes *out)
{
    bool any = switch_may_skip(item);
    for (size_t i = 0; i < item->item_count; i++) {
        copied_bytes one;
        if (!branch_counts(&item->items[i]))
            continue;
        gcast_status status = bytes_of_row(w, item->items[i].items, item->items[i].item_count, &one);
        if (status != GCAST_OK)
            return status;
        if (any)
            either(out, &one);
        else
            *out = one;
        any = true;
    }
    return GCAST_OK;
}

/* A loop that does not say how often it runs has been refused where its time was asked for. */
static gcast_status bytes_of_loop(const byte_walk *w, const am_item *item, copied_bytes *out)
{
    int64_t least = 1, most = 1;
    const am_property *p = property_find(w->properties, w->property_count, "gridcast.iterations");
    gcast_status status = bytes_of_row(w, item->items, item->item_count, out);
    if (p && property_range(p, &least, &most))
        repeat(out, least, most);
    return status;
}

static gcast_status bytes_of_call(const byte_walk *w, const am_item *item, copied_bytes *out)
{
    if (item->runnable < 0 || item->asynchronous)
        return GCAST_OK;
    const am_runnable *r = &w->l->m->runnables[item->runnable];
    byte_walk inner = *w;
    inner.properties = r->properties;
    inner.property_count = r->property_count;
    gcast_status status = bytes_of_row(&inner, r->items, r->item_count, out);
    repeat(out, item->least, item->most);
    return status;
}

static copied_bytes bytes_of_access(const lowering *l, const am_item *item)
{
    int64_t bytes = label_bytes(&l->m->labels[item->label]);
    byte_range range = {max_i64(0, bytes), max_i64(0, bytes)};
    copied_bytes b = {.times = 1};
    *(item->write ? &b.written : &b.read) = range;
    repeat(&b, item->least, item->most);
    return b;
}

static gcast_status bytes_of_item(const byte_walk *w, const am_item *item, copied_bytes *out)
{
    if (w->depth > LOWER_DEPTH)
        return lower_error(w->l, item->at, "Items and calls are nested deeper than %d levels.", LOWER_DEPTH);
    switch (item->kind) {
    case AM_ITEM_CALL:
    case AM_ITEM_SERVER_CALL:
        return bytes_of_call(w, item, out);
    case AM_ITEM_ACCESS:
        if (item->label >= 0)
            *out = bytes_of_access(w->l, item);
        return GCAST_OK;
    case AM_ITEM_SWITCH:
        return bytes_of_switch(w, item, out);
    case AM_ITEM_LOOP:
        return bytes_of_loop(w, item, out);
    default:
        return bytes_of_row(w, item->items, item->item_count, out);
    }
}

gcast_status copied_bytes_find(lowering *l, size_t task, const raw_step *raw, copied_bytes *out)
{
    const am_task *t = &l->m->tasks[task];
    byte_walk w = {.l = l, .properties = t->properties, .property_count = t->property_count};
    gcast_status status = GCAST_OK;
    *out = (copied_bytes){0};
    for (size_t i = 0; i < raw->item_count && status == GCAST_OK; i++) {
        copied_bytes one = {0};
        status = bytes_of_item(&w, raw->items[i], &one);
        add(out, &one);
    }
    return status;
}
