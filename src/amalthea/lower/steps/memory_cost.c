#include "amalthea/lower/steps/memory_cost.h"

#include <string.h>

#include "amalthea/lower/lowering.h"

/* The time of a line of memory. */
typedef struct line_cost {
    bool known;
    bool given;   /* beside the model, with contention */
    bool partial; /* the time of a part of the path to the memory is not known */
    bool over;    /* max may include latencies that the model does not mean */
    fine min, max;
} line_cost;

static const sys_given_access *given_access(const lowering *l, const processor *p)
{
    for (size_t i = 0; i < l->given->access_count; i++)
        if (strcmp(l->given->accesses[i].kind, p->name) == 0)
            return &l->given->accesses[i];
    return NULL;
}

/* A frequency that is no clock of a core, or a data rate, rounded to a whole number; 0: out of range. */
static int64_t whole(double rate)
{
    return rate >= 1 && rate <= 9e15 ? (int64_t)(rate + 0.5) : 0;
}

/* Adds a part of the path. */
static void add_time(line_cost *out, fine min, fine max)
{
    out->known = true;
    out->min = fine_add(out->min, min);
    out->max = fine_add(out->max, max);
}

/* Adds cycles of the processor itself. Without its clock or an upper bound they have no time. */
static void by_latency(const processor *p, const am_value *cycles, line_cost *out)
{
    if (!cycles->bounded_above || !p->clock.known) {
        out->partial = true;
        return;
    }
    int64_t lower = cycles->bounded_below && cycles->lower > 0 ? cycles->lower : 0;
    int64_t upper = cycles->upper > lower ? cycles->upper : lower;
    add_time(out, fine_add(0, (fine)lower * (fine)p->clock.fast.num),
             fine_add(0, (fine)upper * (fine)p->clock.slow.num));
}

static const am_definition *definition_of(const lowering *l, int unit)
{
    int d = l->m->units[unit].definition;
    return d < 0 ? NULL : &l->m->definitions[d];
}

/* Adds the latency of a unit on the path, in cycles of its own clock: a memory, a cache or a connection handler. */
static void add_unit(const lowering *l, const processor *p, int unit, bool write, bool needed, line_cost *out)
{
    const am_definition *d = definition_of(l, unit);
    const am_value *v = !d                              ? NULL
                        : d->kind != AM_UNIT_CONNECTION ? &d->access_latency
                        : write                         ? &d->write_latency
                                                        : &d->read_latency;
    int64_t hz = whole(l->m->units[unit].frequency);
    if (!v || !v->given || !v->bounded_above || !hz) {
        out->partial |= needed || (v && v->given);
        return;
    }
    int64_t lower = v->bounded_below && v->lower > 0 ? v->lower : 0, upper = v->upper > lower ? v->upper : lower;
    add_time(out, fine_cycles_down(lower, hz, p->clock.fast), fine_cycles_up(upper, hz, p->clock.slow));
}

/* Adds the path, where the model has one, and the memory at its end. */
static void by_path(const lowering *l, const processor *p, const am_access_element *e, int memory, bool write,
                    line_cost *out)
{
    bool rate = e && e->data_rate > 0; /* then the path may have no latency */
    out->partial = !rate && (!e || !e->has_path);
    for (size_t i = 0; e && i < e->path_count; i++)
        if (e->path[i] >= 0 && e->path[i] != memory)
            add_unit(l, p, e->path[i], write, true, out);
    add_unit(l, p, memory, write, !rate, out);
}

/* The time of the bytes of a line at a rate. */
static bool rate_cost(const lowering *l, const processor *p, double bits_per_s, line_cost *out)
{
    int64_t rate = whole(bits_per_s);
    *out = (line_cost){0};
    if (!rate || l->line_bytes > INT64_MAX / 8)
        return false;
    out->min = fine_cycles_down(l->line_bytes * 8, rate, p->clock.fast);
    out->max = fine_cycles_up(l->line_bytes * 8, rate, p->clock.slow);
    return true;
}

/* Adds the rates of units on the path. The model does not say whether the bytes pass them one after the other: the
 * minimum counts the slowest, the maximum counts all. */
static void add_unit_rates(const lowering *l, const processor *p, const am_access_element *e, int memory,
                           line_cost *out)
{
    size_t path = e ? e->path_count : 0, rates = 0;
    fine slowest = 0;
    for (size_t i = 0; i <= path; i++) {
        int unit = i < path ? e->path[i] : memory;
        const am_definition *d = unit < 0 || (i < path && unit == memory) ? NULL : definition_of(l, unit);
        line_cost one;
        if (!d || !(d->data_rate > 0))
            continue;
        if (!rate_cost(l, p, d->data_rate, &one)) {
            out->partial = true;
            continue;
        }
        rates++;
        out->known = true;
        out->max = fine_add(out->max, one.max);
        slowest = one.min > slowest ? one.min : slowest;
    }
    bool may_be_in_latency = e && (e->read_latency.given || e->write_latency.given);
    out->over |= rates > 1 || (rates && may_be_in_latency);
    out->min = fine_add(out->min, may_be_in_latency ? 0 : slowest);
}

/* Adds the latency of an access, and its bytes at the rate. What an access element says counts for the whole path. */
static void by_model(const lowering *l, const processor *p, const am_access_element *e, int memory, bool write,
                     line_cost *out)
{
    const am_value *latency = !e ? NULL : write ? &e->write_latency : &e->read_latency;
    line_cost bytes;
    if (latency && latency->given)
        by_latency(p, latency, out);
    else
        by_path(l, p, e, memory, write, out);
    if (!e || !(e->data_rate > 0))
        add_unit_rates(l, p, e, memory, out);
    else if (rate_cost(l, p, e->data_rate, &bytes))
        add_time(out, bytes.min, bytes.max);
    else
        out->partial = true;
}

/* Several access elements lead to one memory, and any of them may be meant. */
static void either(line_cost *to, const line_cost *other)
{
    if (to->known != other->known || to->min != other->min || to->max != other->max)
        to->over = true;
    to->min = other->min < to->min ? other->min : to->min;
    to->max = other->max > to->max ? other->max : to->max;
    to->known |= other->known;
    to->partial |= other->partial || !other->known;
    to->over |= other->over;
}

/* The cost by all access elements to the memory, or by the memory alone where there is none. */
static line_cost by_elements(const lowering *l, const processor *p, int memory, bool write)
{
    const am_unit *u = &l->m->units[p->unit];
    line_cost c = {0};
    bool any = false;
    for (size_t i = 0; i < u->access_count; i++) {
        line_cost one = {0};
        if (u->accesses[i].destination != memory)
            continue;
        by_model(l, p, &u->accesses[i], memory, write, &one);
        if (any)
            either(&c, &one);
        else
            c = one;
        any = true;
    }
    if (!any)
        by_model(l, p, NULL, memory, write, &c);
    return c;
}

/* The cost of a line of a label for a processor. */
static line_cost line_cost_of(const lowering *l, size_t proc, int label, bool write)
{
    const processor *p = &l->processors[proc];
    const sys_given_access *g = given_access(l, p);
    line_cost c = {0};
    if (g) {
        const sys_range *r = write ? &g->write : &g->read;
        c.known = c.given = true;
        c.min = (fine)r->min_ns * (fine)p->clock.fast.den;
        c.max = (fine)r->max_ns * (fine)p->clock.slow.den;
        return c;
    }
    int memory = l->m->labels[label].memory < 0 ? l->only_memory : l->m->labels[label].memory;
    if (memory < 0 || p->unit < 0)
        return c;
    return by_elements(l, p, memory, write);
}

int64_t label_bytes(const am_label *label)
{
    return label->bits < 0 ? -1 : label->bits / 8 + (label->bits % 8 != 0);
}

/* The lines of memory that an access of this many bytes counts. */
static int64_t memory_lines(const lowering *l, int64_t bytes)
{
    if (l->given->lines_plus_one)
        return bytes / l->line_bytes + 1;
    return bytes / l->line_bytes + (bytes % l->line_bytes != 0);
}

bool access_is_known(const lowering *l, size_t proc, int label, bool write)
{
    return line_cost_of(l, proc, label, write).known;
}

static gcast_status tell_free(lowering *l, const processor *p, const am_item *access, const char *by)
{
    if (l->told_free_access)
        return GCAST_OK;
    l->told_free_access = true;
    return finding_add(l, access->at, SYS_CONDITION | SYS_LEFT_OUT,
                       "Accesses to memory take no time here: the model does not give their times (first: %s accesses "
                       "%s, on %s). Times without them are too short.",
                       by, l->m->labels[access->label].name, p->name);
}

static gcast_status tell_partial(lowering *l, const processor *p, const am_item *access)
{
    if (l->told_path)
        return GCAST_OK;
    l->told_path = true;
    return finding_add(l, access->at, SYS_CONDITION | SYS_LEFT_OUT,
                       "The model gives no time for a part of the path from %s to the memory of label %s: that part, "
                       "and others like it, take no time here.",
                       p->name, l->m->labels[access->label].name);
}

static gcast_status tell_over(lowering *l, const processor *p, const am_item *access)
{
    if (l->told_rates)
        return GCAST_OK;
    l->told_rates = true;
    return finding_add(l, access->at, SYS_APPROXIMATED,
                       "Several latencies or data rates apply to the path from %s to the memory of label %s: an access "
                       "takes from the shortest to the longest of these times.",
                       p->name, l->m->labels[access->label].name);
}

static gcast_status tell_contention(lowering *l)
{
    if (l->told_contention || l->s->core_count + (l->gpu_unit >= 0) < 2)
        return GCAST_OK;
    l->told_contention = true;
    return finding_add(l, lower_nowhere(), SYS_CONDITION,
                       "Accesses to memory take as long as the model says for a single access: contention with other "
                       "cores and the GPU is not included.");
}

gcast_status access_cost(lowering *l, size_t proc, const am_item *access, const char *by, fine_cost *out)
{
    *out = (fine_cost){0};
    if (access->label < 0)
        return GCAST_OK; /* listed as not understood by the reader */
    line_cost line = line_cost_of(l, proc, access->label, access->write);
    if (!line.known)
        return tell_free(l, &l->processors[proc], access, by);
    gcast_status status = line.given ? GCAST_OK : tell_contention(l);
    if (line.partial && status == GCAST_OK)
        status = tell_partial(l, &l->processors[proc], access);
    if (line.over && status == GCAST_OK)
        status = tell_over(l, &l->processors[proc], access);
    int64_t bytes = label_bytes(&l->m->labels[access->label]);
    if (bytes < 0 && !l->told_label_size && status == GCAST_OK) {
        l->told_label_size = true;
        status = finding_add(l, l->m->labels[access->label].at, SYS_CONDITION | SYS_LEFT_OUT,
                             "The model gives no size for label %s: an access to it, and to other labels without a "
                             "size, is one line of memory.",
                             l->m->labels[access->label].name);
    }
    int64_t lines = bytes < 0 ? 1 : memory_lines(l, bytes);
    out->min = out->access_min = fine_scale(line.min, lines);
    out->max = out->access_max = fine_scale(line.max, lines);
    return status;
}
