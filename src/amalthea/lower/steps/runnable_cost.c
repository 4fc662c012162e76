#include "amalthea/lower/steps/runnable_cost.h"

#include <string.h>

#include "amalthea/lower/lowering.h"
#include "amalthea/lower/steps/memory_cost.h"
#include "amalthea/model.h"

/* The state of an evaluation. */
typedef struct cost_walk {
    lowering *l;
    size_t proc;
    cost_owner owner;
    int depth;
} cost_walk;

static gcast_status cost_of_item(const cost_walk *w, const am_item *item, fine_cost *out);

gcast_status runnable_costs_start(lowering *l)
{
    if (l->m->runnable_count && l->processor_count > SIZE_MAX / l->m->runnable_count)
        return lower_no_memory(l);
    l->costs = lower_scratch(l, l->processor_count * l->m->runnable_count, sizeof *l->costs);
    l->asking = lower_scratch(l, l->m->semaphore_count, sizeof *l->asking);
    l->asking_at = lower_scratch(l, l->m->semaphore_count, sizeof *l->asking_at);
    return l->costs && l->asking && l->asking_at ? GCAST_OK : GCAST_RESOURCE;
}

const am_value *ticks_on(const am_item *ticks, int definition)
{
    const am_value *other = NULL;
    for (size_t i = 0; i < ticks->tick_count; i++) {
        if (ticks->ticks[i].definition < 0)
            other = &ticks->ticks[i].value;
        else if (ticks->ticks[i].definition == definition)
            return &ticks->ticks[i].value;
    }
    return other;
}

bool branch_counts(const am_item *branch)
{
    return branch->probability != 0 || branch->unsaid;
}

bool switch_may_skip(const am_item *item)
{
    bool odd = item->odd_sum > 0;
    for (size_t i = 0; i < item->item_count; i++)
        if (item->items[i].is_default || (item->items[i].probability >= 0 && !odd))
            return false; /* there is a default, or the probabilities sum to 1 */
    return true;
}

static gcast_status cost_of_ticks(const cost_walk *w, const am_item *item, fine_cost *out)
{
    const processor *p = &w->l->processors[w->proc];
    const am_value *v = ticks_on(item, p->definition);
    if (!v || !v->given) {
        out->never = true;
        return GCAST_OK;
    }
    if (!v->bounded_above)
        return lower_error(
            w->l, v->at.file ? v->at : item->at,
            "%s: its ticks have no upper bound, so there is no worst time: give the distribution an upperBound.",
            w->owner.name);
    int64_t lower = v->bounded_below && v->lower > 0 ? v->lower : 0;
    if (v->upper < lower)
        return lower_error(w->l, v->at.file ? v->at : item->at, "%s: the upper bound of its ticks is below the lower.",
                           w->owner.name);
    if (!p->clock.known && v->upper > 0)
        return lower_error(
            w->l, w->l->m->units[p->unit].at,
            "%s has no frequency, so the time of its ticks is not known (ticks of %s): give --tick TIME.",
            w->l->m->units[p->unit].name, w->owner.name);
    out->min = fine_add(0, (fine)lower * (fine)p->clock.fast.num);
    out->max = fine_add(0, (fine)v->upper * (fine)p->clock.slow.num);
    return GCAST_OK;
}

/* The items run one after the other. */
static gcast_status cost_of_row(const cost_walk *w, const am_item *items, size_t count, fine_cost *out)
{
    cost_walk inner = *w;
    gcast_status status = GCAST_OK;
    inner.depth++;
    *out = (fine_cost){0};
    for (size_t i = 0; i < count && status == GCAST_OK; i++) {
        fine_cost one = {0};
        status = cost_of_item(&inner, &items[i], &one);
        fine_cost_add(out, &one);
    }
    return status;
}

/* Adds a finding: any branch may be taken here. Branches with probabilities are taken independently of each other in
 * the model, too; but modes may exclude that some are taken together. */
static gcast_status tell_choice(lowering *l, const am_item *item, const char *owner)
{
    bool *told = item->counted ? &l->told_counter : &l->told_switch;
    if (*told || (!item->counted && item->item_count && item->items[0].probability >= 0))
        return GCAST_OK;
    *told = true;
    return finding_add(
        l, item->at, SYS_APPROXIMATED,
        item->counted ? "Items that run only once in several times (a counter) may run each time here (first: in %s)."
                      : "Switches may take any branch each time here; their conditions are not used (first: in %s).",
        owner);
}

/* Adds findings on probabilities that do not sum up, or are missing. */
static gcast_status tell_probabilities(const cost_walk *w, const am_item *item)
{
    lowering *l = w->l;
    gcast_status status = GCAST_OK;
    bool unsaid = false;
    for (size_t i = 0; i < item->item_count; i++)
        unsaid |= item->items[i].unsaid;
    if (item->odd_sum > 0 && !l->told_sum) {
        l->told_sum = true;
        status = finding_add(l, item->at, SYS_CONDITION | SYS_APPROXIMATED,
                             "Probabilities of a switch in %s sum to %g, neither to 1 nor to 100: any of its branches "
                             "may be taken here%s.",
                             w->owner.name, item->odd_sum, switch_may_skip(item) ? ", or none" : "");
    }
    if (!unsaid || l->told_probability || status != GCAST_OK)
        return status;
    l->told_probability = true;
    return finding_add(l, item->at, SYS_CONDITION | SYS_APPROXIMATED,
                       "A branch of a switch in %s has no probability, but needs one: the branch may be taken here.",
                       w->owner.name);
}

/* Any branch may be taken: the cost is the range of all. */
static gcast_status cost_of_switch(const cost_walk *w, const am_item *item, fine_cost *out)
{
    bool any = switch_may_skip(item); /* then a branch without cost counts, too */
    gcast_status told = tell_probabilities(w, item);
    if (told != GCAST_OK)
        return told;
    for (size_t i = 0; i < item->item_count; i++) {
        const am_item *branch = &item->items[i];
        if (!branch_counts(branch))
            continue;
        fine_cost one;
        gcast_status status = cost_of_row(w, branch->items, branch->item_count, &one);
        if (status != GCAST_OK)
            return status;
        if (any)
            fine_cost_either(out, &one);
        else
            *out = one;
        any = true;
    }
    return out->min == out->max ? GCAST_OK : tell_choice(w->l, item, w->owner.name);
}

static fine_cost repeated(const fine_cost *once, int64_t least, int64_t most)
{
    return (fine_cost){.never = once->never,
                       .min = fine_scale(once->min, least),
                       .max = fine_scale(once->max, most),
                       .access_min = fine_scale(once->access_min, least),
                       .access_max = fine_scale(once->access_max, most)};
}

static gcast_status cost_of_loop(const cost_walk *w, const am_item *item, fine_cost *out)
{
    int64_t least, most;
    const am_property *p = property_find(w->owner.properties, w->owner.property_count, "gridcast.iterations");
    if (!p)
        return lower_error(w->l, item->at,
                           "%s has a loop, and how often it runs is not said: give it the custom property "
                           "gridcast.iterations.",
                           w->owner.name);
    if (!property_range(p, &least, &most))
        return lower_error(w->l, p->at, "%s: gridcast.iterations must be a number, or the least and the most.",
                           w->owner.name);
    fine_cost once;
    gcast_status status = cost_of_row(w, item->items, item->item_count, &once);
    *out = repeated(&once, least, most);
    return status;
}

static gcast_status note_timeless(lowering *l, const am_runnable *r)
{
    if (l->timeless++ == 0) {
        l->timeless_of = r->name;
        l->timeless_at = r->at;
    }
    return GCAST_OK;
}

static gcast_status cost_of_runnable(const cost_walk *w, const am_item *call, fine_cost *out)
{
    lowering *l = w->l;
    if (call->runnable < 0)
        return GCAST_OK; /* listed as not understood by the reader */
    const am_runnable *r = &l->m->runnables[call->runnable];
    cost_entry *known = &l->costs[w->proc * l->m->runnable_count + (size_t)call->runnable];
    if (known->state == COST_BUSY)
        return lower_error(l, call->at, "Runnable %s calls itself, by others or directly.", r->name);
    if (known->state == COST_OPEN) {
        cost_walk inner = *w;
        inner.owner = (cost_owner){r->name, r->properties, r->property_count};
        known->state = COST_BUSY;
        gcast_status status = cost_of_row(&inner, r->items, r->item_count, &known->cost);
        if (status == GCAST_OK && w->proc == 0 && !r->item_count)
            status = note_timeless(l, r);
        if (status != GCAST_OK)
            return status;
        known->state = COST_DONE;
    }
    *out = known->cost;
    return GCAST_OK;
}

static gcast_status note_asking(const cost_walk *w, const am_item *item)
{
    if (item->semaphore < 0)
        return GCAST_OK; /* listed as not understood by the reader */
    if (!w->l->asking[item->semaphore].count)
        w->l->asking_at[item->semaphore] = item->at;
    names_add(&w->l->asking[item->semaphore], w->owner.name);
    return GCAST_OK;
}

/* Adds findings once, not for every processor. */
static gcast_status tell(const cost_walk *w, const am_item *item)
{
    lowering *l = w->l;
    if (w->proc)
        return GCAST_OK;
    if (item->kind == AM_ITEM_SEMAPHORE && item->request)
        return note_asking(w, item);
    if (item->kind == AM_ITEM_SERVER_CALL && item->asynchronous)
        return finding_add(l, item->at, SYS_CONDITION | SYS_LEFT_OUT,
                           "%s calls %s asynchronously: the time of the server is not counted, because the model does "
                           "not say which task runs it.",
                           w->owner.name, item->runnable < 0 ? "a server" : l->m->runnables[item->runnable].name);
    return GCAST_OK;
}

/* The cost of a call or an access, as often as it happens. */
static gcast_status cost_of_times(const cost_walk *w, const am_item *item, fine_cost *out)
{
    fine_cost once = {0};
    bool is_call = item->kind == AM_ITEM_CALL;
    gcast_status status =
        is_call ? cost_of_runnable(w, item, &once) : access_cost(w->l, w->proc, item, w->owner.name, &once);
    *out = repeated(&once, item->least, item->most);
    return status;
}

static gcast_status cost_of_item(const cost_walk *w, const am_item *item, fine_cost *out)
{
    if (w->depth > LOWER_DEPTH)
        return lower_error(w->l, item->at, "%s: items and calls are nested deeper than %d levels.", w->owner.name,
                           LOWER_DEPTH);
    switch (item->kind) {
    case AM_ITEM_GROUP:
    case AM_ITEM_BRANCH:
        return cost_of_row(w, item->items, item->item_count, out);
    case AM_ITEM_CALL:
    case AM_ITEM_ACCESS:
        return cost_of_times(w, item, out);
    case AM_ITEM_TICKS:
        return cost_of_ticks(w, item, out);
    case AM_ITEM_SWITCH:
        return cost_of_switch(w, item, out);
    case AM_ITEM_LOOP:
        return cost_of_loop(w, item, out);
    case AM_ITEM_SERVER_CALL:
        return item->asynchronous ? tell(w, item) : cost_of_runnable(w, item, out);
    case AM_ITEM_SEMAPHORE:
        return tell(w, item);
    default:
        return GCAST_OK; /* takes no time */
    }
}

gcast_status items_cost(lowering *l, size_t proc, const cost_owner *owner, const am_item *const *items, size_t count,
                        fine_cost *out)
{
    cost_walk w = {.l = l, .proc = proc, .owner = *owner};
    gcast_status status = GCAST_OK;
    *out = (fine_cost){0};
    for (size_t i = 0; i < count && status == GCAST_OK; i++) {
        fine_cost one = {0};
        status = cost_of_item(&w, items[i], &one);
        fine_cost_add(out, &one);
    }
    return status;
}
