#include "amalthea/read/items.h"

#include <math.h>
#include <string.h>

#include "amalthea/read/reader.h"
#include "amalthea/read/references.h"
#include "amalthea/read/values.h"

/* Ticks may differ by definition of processing units. Execution needs become ticks by features of the definitions. */

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

/* Reads the default ticks, and those of definitions of processing units. */
static bool ticks_read(am_reader *r, xml_node *n, am_item *item)
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

/* How much of a need a tick does; several features of a definition give a minimum and a maximum. */
typedef struct need_rate {
    double least, most; /* 0: not said */
} need_rate;

/* The features for a need have its name, or are in the category of that name. */
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
    item->kind = AM_ITEM_OTHER; /* no feature says how fast it is done */
    n->used = false;
    return true;
}

/* Reads execution needs, each as ticks. */
static bool needs_read(am_reader *r, xml_node *n, am_item *item)
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

/* Items may contain items. The recursion is bounded by the depth of elements in XML. */

#define SUM_ROUNDING 0.00101 /* of probabilities with three digits */
#define MAX_TIMES 1e6        /* calls of a runnable, or accesses to a label, in a row */

typedef bool (*read_item_of)(am_reader *r, xml_node *n, am_item *item);

am_item item_new(am_item_kind kind, am_place at)
{
    return (am_item){.kind = kind,
                     .name = "",
                     .probability = -1,
                     .least = 1,
                     .most = 1,
                     .runnable = -1,
                     .label = -1,
                     .stimulus = -1,
                     .process = -1,
                     .semaphore = -1,
                     .at = at};
}

static bool is_item(const xml_node *n)
{
    static const char *const tags[] = {"items", "calls", "graphEntries", "runnableItems"}; /* the last three: 0.9.4 */
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (strcmp(n->tag, tags[i]) == 0)
            return true;
    return false;
}

static bool read_call(am_reader *r, xml_node *n, const char *name, am_item *item)
{
    if (!reference_one(r, n, name, SYMBOL_RUNNABLE, true, &item->runnable))
        return false;
    am_need need = {.to = (size_t)item->runnable, .at = n};
    if (r->runnable >= 0) {
        need.from = (size_t)r->runnable;
        return vec_push(&r->calls, need) || reader_no_memory(r);
    }
    need.from = (size_t)r->task;
    return vec_push(&r->task_calls, need) || reader_no_memory(r);
}

static bool items_in(am_reader *r, xml_node *n, const am_item **items, size_t *count);

static bool read_group(am_reader *r, xml_node *n, am_item *item)
{
    bool ordered, interruptible;
    item->kind = AM_ITEM_GROUP;
    item->name = reader_keep(r, xml_get(n, "name"));
    if (!item->name || !quantity_bool(r, n, "ordered", true, &ordered) ||
        !quantity_bool(r, n, "interruptible", true, &interruptible))
        return false;
    for (size_t i = 0; i < n->attribute_count; i++) /* interruptible="false" has no effect here, and is listed */
        if (strcmp(n->attributes[i].name, "interruptible") == 0)
            n->attributes[i].used = interruptible;
    item->unordered = !ordered;
    return items_in(r, n, &item->items, &item->item_count);
}

static bool read_runnable_call(am_reader *r, xml_node *n, am_item *item)
{
    item->kind = AM_ITEM_CALL;
    return read_call(r, n, "runnable", item);
}

static bool read_server_call(am_reader *r, xml_node *n, am_item *item)
{
    item->kind = AM_ITEM_SERVER_CALL;
    item->asynchronous = strcmp(n->type, "AsynchronousServerCall") == 0;
    return read_call(r, n, "serverRunnable", item);
}

/* An access is a read or a write; anything else is an error. */
static bool read_access(am_reader *r, xml_node *n, am_item *item)
{
    const char *access = xml_get(n, "access");
    item->kind = AM_ITEM_ACCESS;
    item->write = access && strcmp(access, "write") == 0;
    if (!item->write && (!access || strcmp(access, "read") != 0))
        return reader_fail(r, n, "access: '%.60s' is neither read nor write", access ? access : "");
    return reference_one(r, n, "data", SYMBOL_LABEL, true, &item->label);
}

static bool read_communication(am_reader *r, xml_node *n, am_item *item)
{
    item->kind = AM_ITEM_ACCESS;
    item->write = strcmp(n->type, "SenderReceiverWrite") == 0;
    return reference_one(r, n, "label", SYMBOL_LABEL, true, &item->label);
}

static bool read_trigger(am_reader *r, xml_node *n, am_item *item)
{
    item->kind = AM_ITEM_TRIGGER;
    return reference_one(r, n, "stimulus", SYMBOL_STIMULUS, true, &item->stimulus);
}

static bool read_mask(am_reader *r, xml_node *n, am_item *item)
{
    xml_node *mask = xml_first(n, "eventMask");
    return !mask || reference_list(r, mask, "events", SYMBOL_OS_EVENT, &item->events, &item->event_count);
}

static bool read_wait(am_reader *r, xml_node *n, am_item *item)
{
    const char *type = xml_get(n, "maskType"), *behaviour = xml_get(n, "waitingBehaviour");
    item->kind = AM_ITEM_WAIT_EVENT;
    item->wait_all = type && strcmp(type, "AND") == 0;
    item->active = behaviour && strcmp(behaviour, "active") == 0;
    item->unsaid = !behaviour || strcmp(behaviour, "_undefined_") == 0;
    if (!item->unsaid && !item->active && strcmp(behaviour, "passive") != 0)
        return reader_fail(r, n, "waitingBehaviour: '%.60s' is neither active nor passive", behaviour);
    return read_mask(r, n, item);
}

static bool read_set(am_reader *r, xml_node *n, am_item *item)
{
    item->kind = AM_ITEM_SET_EVENT;
    return read_mask(r, n, item) && reference_one(r, n, "process", SYMBOL_TASK, false, &item->process);
}

static bool read_clear(am_reader *r, xml_node *n, am_item *item)
{
    item->kind = AM_ITEM_CLEAR_EVENT;
    return read_mask(r, n, item);
}

static bool read_semaphore(am_reader *r, xml_node *n, am_item *item)
{
    const char *access = xml_get(n, "access");
    item->kind = AM_ITEM_SEMAPHORE;
    item->request = access && (strcmp(access, "request") == 0 || strcmp(access, "exclusive") == 0);
    if (!item->request && (!access || strcmp(access, "release") != 0))
        return reader_fail(r, n, "access: '%.60s' is neither request nor release", access ? access : "");
    return reference_one(r, n, "semaphore", SYMBOL_SEMAPHORE, true, &item->semaphore);
}

static bool read_branch(am_reader *r, xml_node *n, bool is_default, bool weighted, am_item *item)
{
    *item = item_new(AM_ITEM_BRANCH, reader_place(r, n));
    item->is_default = is_default;
    item->name = reader_keep(r, xml_get(n, "name"));
    item->unsaid = weighted && !xml_get(n, "probability");
    if (!item->name || (weighted && !quantity_real(r, n, "probability", 0, &item->probability)))
        return false;
    if (weighted && item->probability < 0)
        return reader_fail(r, n, "the probability is below 0");
    return items_in(r, n, &item->items, &item->item_count);
}

/* Scales probabilities to the sum 1: some tools write percent. Where the sum is neither 1 nor 100, it is set as *odd.
 */
static bool normalize(am_reader *r, const xml_node *n, am_item *branches, size_t count, double *odd)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += branches[i].probability;
    if (!(sum > 0) || sum > 1e300)
        return reader_fail(r, n, "the probabilities sum to 0, or to too much");
    if (fabs(sum - 1) > SUM_ROUNDING && fabs(sum / 100 - 1) > SUM_ROUNDING)
        *odd = sum;
    for (size_t i = 0; i < count; i++)
        branches[i].probability /= sum;
    return true;
}

static bool read_switch(am_reader *r, xml_node *n, am_item *item)
{
    bool weighted = strstr(n->type, "ProbabilitySwitch");
    size_t count = 0;
    for (xml_node *e = xml_first(n, "entries"); e; e = xml_next(e, "entries"))
        count++;
    xml_node *other = xml_first(n, "defaultEntry");
    am_item *branches = reader_array(r, count + 1, sizeof *branches);
    if (!branches)
        return false;
    item->kind = AM_ITEM_SWITCH;
    item->items = branches;
    for (xml_node *e = xml_first(n, "entries"); e; e = xml_next(e, "entries"))
        if (!read_branch(r, e, false, weighted, &branches[item->item_count++]))
            return false;
    if (other && !read_branch(r, other, true, false, &branches[item->item_count++]))
        return false;
    return !weighted || !count || normalize(r, n, branches, count, &item->odd_sum);
}

static bool read_loop(am_reader *r, xml_node *n, am_item *item)
{
    item->kind = AM_ITEM_LOOP;
    return items_in(r, n, &item->items, &item->item_count);
}

static bool read_schedule_point(am_reader *r, xml_node *n, am_item *item)
{
    (void)r, (void)n;
    item->kind = AM_ITEM_SCHEDULE_POINT;
    return true;
}

static bool read_mode(am_reader *r, xml_node *n, am_item *item)
{
    (void)r, (void)n;
    item->kind = AM_ITEM_MODE;
    return true;
}

/* An item that has no effect on times here is listed, whether it is known or not. */
static bool read_other(am_reader *r, xml_node *n, am_item *item)
{
    (void)r;
    item->kind = AM_ITEM_OTHER;
    n->used = false;
    return true;
}

static read_item_of reader_of(const char *class)
{
    static const struct {
        const char *class;
        read_item_of read;
    } kinds[] = {
        {"Group", read_group},
        {"CallSequence", read_group}, /* 0.9.4 */
        {"RunnableCall", read_runnable_call},
        {"TaskRunnableCall", read_runnable_call}, /* 0.9.4 */
        {"Ticks", ticks_read},
        {"ExecutionNeed", needs_read},
        {"LabelAccess", read_access},
        {"SenderReceiverRead", read_communication},
        {"SenderReceiverWrite", read_communication},
        {"InterProcessTrigger", read_trigger},
        {"InterProcessActivation", read_trigger}, /* 0.9.4 */
        {"WaitEvent", read_wait},
        {"SetEvent", read_set},
        {"ClearEvent", read_clear},
        {"Switch", read_switch},
        {"ModeSwitch", read_switch},
        {"RunnableModeSwitch", read_switch}, /* 0.9.4 */
        {"ProbabilitySwitch", read_switch},
        {"RunnableProbabilitySwitch", read_switch}, /* 0.9.4 */
        {"WhileLoop", read_loop},
        {"SemaphoreAccess", read_semaphore},
        {"ModeLabelAccess", read_mode},
        {"ModeLabelAssignment", read_mode},
        {"LocalModeLabelAssignment", read_mode},
        {"SynchronousServerCall", read_server_call},
        {"AsynchronousServerCall", read_server_call},
        {"SchedulePoint", read_schedule_point},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(class, kinds[i].class) == 0)
            return kinds[i].read;
    return read_other;
}

/* An item that happens only every so many times becomes a switch between it and nothing. */
static bool make_rare(am_reader *r, int64_t every, am_item *item)
{
    am_item *branches = reader_array(r, 2, sizeof *branches), *inner = reader_array(r, 1, sizeof *inner);
    if (!branches || !inner)
        return false;
    *inner = *item;
    branches[0] = branches[1] = item_new(AM_ITEM_BRANCH, item->at);
    branches[0].items = inner;
    branches[0].item_count = 1;
    branches[0].probability = 1 / (double)every;
    branches[1].probability = 1 - branches[0].probability;
    branches[1].is_default = true;
    *item = item_new(AM_ITEM_SWITCH, item->at);
    item->counted = true;
    item->items = branches;
    item->item_count = 2;
    return true;
}

static bool read_counter(am_reader *r, xml_node *n, am_item *item)
{
    xml_node *counter = item->kind == AM_ITEM_OTHER ? NULL : xml_first(n, "counter");
    int64_t every;
    if (!counter)
        return true;
    if (!quantity_integer(r, counter, "prescaler", 1, &every))
        return false;
    if (every < 1)
        return reader_fail(r, counter, "prescaler must be above 0");
    return every == 1 || make_rare(r, every, item);
}

/* Reads a single value, or a minimum and a maximum. One that is no whole number is an average, and stays unused. */
static bool read_times(am_reader *r, xml_node *value, am_item *item)
{
    double least, most;
    bool is_range = strcmp(value->type, "MinAvgMaxStatistic") == 0;
    if (!quantity_real(r, value, is_range ? "max" : "value", -1, &most) ||
        !quantity_real(r, value, is_range ? "min" : "value", -1, &least))
        return false;
    if (is_range)
        xml_get(value, "avg");
    if (!(least >= 0 && least <= most && most <= MAX_TIMES) || floor(least) != least || floor(most) != most) {
        value->used = false;
        return true;
    }
    item->least = (int64_t)(is_range || least < 1 ? least : 1); /* a value alone may be a mean */
    item->most = (int64_t)most;
    return true;
}

/* How often a runnable is called, or a label accessed. */
static bool read_statistic(am_reader *r, xml_node *n, am_item *item)
{
    bool is_call = item->kind == AM_ITEM_CALL;
    xml_node *statistic = is_call || item->kind == AM_ITEM_ACCESS ? xml_first(n, "statistic") : NULL;
    xml_node *value = statistic ? xml_first(statistic, is_call ? "statistic" : "value") : NULL;
    if (!value)
        return true;
    if (strcmp(value->type, "SingleValueStatistic") == 0 || strcmp(value->type, "MinAvgMaxStatistic") == 0)
        return read_times(r, value, item);
    value->used = false;
    return true;
}

static bool read_item(am_reader *r, xml_node *n, am_item *item)
{
    *item = item_new(AM_ITEM_OTHER, reader_place(r, n));
    n->used = true;
    r->items++;
    return reader_of(n->type)(r, n, item) && read_statistic(r, n, item) && read_counter(r, n, item);
}

static bool items_in(am_reader *r, xml_node *n, const am_item **items, size_t *count)
{
    size_t most = 0;
    for (const xml_node *c = n->first; c; c = c->next)
        most += is_item(c);
    am_item *list = reader_array(r, most, sizeof *list);
    if (!list)
        return false;
    *items = list;
    *count = 0;
    for (xml_node *c = n->first; c; c = c->next)
        if (is_item(c) && !read_item(r, c, &list[(*count)++]))
            return false;
    return true;
}

bool items_of_graph(am_reader *r, xml_node *n, const am_item **items, size_t *count)
{
    xml_node *graph = xml_first(n, "activityGraph");
    if (!graph)
        graph = xml_first(n, "callGraph"); /* up to 0.9.5 */
    return items_in(r, graph ? graph : n, items, count);
}
