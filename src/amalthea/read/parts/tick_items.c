/* Ticks by definition of processing units, and execution needs, which become ticks by the features of definitions. */
#include "amalthea/read/parts/tick_items.h"

#include <math.h>
#include <string.h>

#include "amalthea/read/parts/items.h"
#include "amalthea/read/references.h"
#include "amalthea/read/values/deviation.h"

/* The value of an entry of a map: its child of this name, which must be there. */
static bool entry_value(am_reader *r, xml_node *n, am_value *value)
{
    return deviation_child(r, n, "value", DEVIATION_COUNT, value) &&
           (value->given || reader_fail(r, n, "value is missing"));
}

static bool read_extended(am_reader *r, xml_node *n, am_ticks *ticks, size_t *count)
{
    am_ticks *t = &ticks[*count];
    if (!reference_one(r, n, "key", SYMBOL_DEFINITION, true, &t->definition) || !entry_value(r, n, &t->value))
        return false;
    if (r->m->definitions[t->definition].kind != AM_UNIT_PROCESSOR)
        return reader_fail(r, n, "key: it is not a definition of processing units");
    for (size_t i = 0; i < *count; i++)
        if (ticks[i].definition == t->definition)
            return reader_fail(r, n, "there are ticks for '%.100s' already", r->m->definitions[t->definition].name);
    ++*count;
    return true;
}

bool ticks_read(am_reader *r, xml_node *n, am_item *item)
{
    size_t most = 1;
    for (xml_node *e = xml_first(n, "extended"); e; e = xml_next(e, "extended"))
        most++;
    am_ticks *ticks = reader_array(r, most, sizeof *ticks);
    if (!ticks)
        return false;
    item->kind = AM_ITEM_TICKS;
    item->ticks = ticks;
    am_value value;
    if (!deviation_child(r, n, "default", DEVIATION_COUNT, &value))
        return false;
    if (value.given)
        ticks[item->tick_count++] = (am_ticks){.definition = -1, .value = value};
    for (xml_node *e = xml_first(n, "extended"); e; e = xml_next(e, "extended"))
        if (!read_extended(r, e, ticks, &item->tick_count))
            return false;
    return true;
}

/* How much of a need a tick does: features of a definition may say a least and a greatest. */
typedef struct need_rate {
    double least, most; /* 0: nobody says */
} need_rate;

/* Features that a need is of are in the category that has its name, or have that name themselves. */
static bool find_rate(am_reader *r, const xml_node *n, const am_definition *d, const char *key, need_rate *rate)
{
    *rate = (need_rate){0};
    for (size_t i = 0; i < d->feature_count; i++) {
        const am_feature *f = &d->features[i];
        if (strcmp(f->category, key) != 0 && strcmp(f->name, key) != 0)
            continue;
        if (f->value <= 0)
            return reader_fail(r, n, "the feature %.80s/%.80s is not above 0", f->category, f->name);
        rate->least = rate->least == 0 || f->value < rate->least ? f->value : rate->least;
        rate->most = f->value > rate->most ? f->value : rate->most;
    }
    return true;
}

static bool divide(am_reader *r, const xml_node *n, const am_value *need, const need_rate *rate, am_value *ticks)
{
    double lower = floor((double)need->lower / rate->most), upper = ceil((double)need->upper / rate->least);
    if (upper > 9e18 || lower > 9e18)
        return reader_fail(r, n, "the need is too large");
    *ticks = *need;
    ticks->lower = (int64_t)lower;
    ticks->upper = (int64_t)upper;
    ticks->average = need->average >= 0 && rate->least == rate->most ? need->average / rate->least : -1;
    if (ticks->kind == AM_CONSTANT && ticks->lower < ticks->upper)
        ticks->kind = AM_BOUNDARIES;
    return true;
}

static bool read_need(am_reader *r, xml_node *n, am_item *item)
{
    const char *key = xml_get(n, "key");
    am_value need;
    am_ticks *ticks = reader_array(r, r->m->definition_count, sizeof *ticks);
    if (!ticks || !entry_value(r, n, &need))
        return false;
    *item = item_new(AM_ITEM_TICKS, reader_place(r, n));
    item->ticks = ticks;
    for (size_t i = 0; i < r->m->definition_count; i++) {
        const am_definition *d = &r->m->definitions[i];
        need_rate rate = {0};
        if (d->kind == AM_UNIT_PROCESSOR && !find_rate(r, n, d, key ? key : "", &rate))
            return false;
        if (rate.least == 0)
            continue;
        if (!divide(r, n, &need, &rate, &ticks[item->tick_count].value))
            return false;
        ticks[item->tick_count++].definition = (int)i;
    }
    if (item->tick_count)
        return true;
    item->kind = AM_ITEM_OTHER; /* nobody says how fast it is done */
    n->used = false;
    return true;
}

bool needs_read(am_reader *r, xml_node *n, am_item *item)
{
    size_t count = 0;
    for (xml_node *e = xml_first(n, "needs"); e; e = xml_next(e, "needs"))
        count++;
    am_item *items = reader_array(r, count, sizeof *items);
    if (!items)
        return false;
    item->kind = AM_ITEM_GROUP;
    item->items = items;
    for (xml_node *e = xml_first(n, "needs"); e; e = xml_next(e, "needs"))
        if (!read_need(r, e, &items[item->item_count++]))
            return false;
    return true;
}
