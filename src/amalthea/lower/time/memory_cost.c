#include "amalthea/lower/time/memory_cost.h"

#include <string.h>

#include "amalthea/lower/findings.h"

/* Time of a line, in parts of a nanosecond. */
typedef struct line_cost {
    bool known;
    bool given;   /* beside the model, contention and all */
    bool partial; /* nothing is said about a part of the way to the memory */
    fine min, max;
} line_cost;

int64_t label_bytes(const am_label *label)
{
    return label->bits < 0 ? -1 : label->bits / 8 + (label->bits % 8 != 0);
}

int64_t memory_lines(const lowering *l, int64_t bytes)
{
    if (l->given->lines_plus_one)
        return bytes / l->line_bytes + 1;
    return bytes / l->line_bytes + (bytes % l->line_bytes != 0);
}

static const sys_given_access *given_access(const lowering *l, const processor *p)
{
    for (size_t i = 0; i < l->given->access_count; i++)
        if (strcmp(l->given->accesses[i].kind, p->name) == 0)
            return &l->given->accesses[i];
    return NULL;
}

static const am_access_element *element_to(const am_unit *u, int memory)
{
    for (size_t i = 0; memory >= 0 && i < u->access_count; i++)
        if (u->accesses[i].destination == memory)
            return &u->accesses[i];
    return NULL;
}

/* Whole Hz or bits per second, for what is no clock of a core: rounded to the nearest. */
static int64_t whole(double rate)
{
    return rate >= 1 && rate <= 9e15 ? (int64_t)(rate + 0.5) : 0;
}

/* Cycles of the processor itself. Without its clock or an upper bound they cannot be counted. */
static void by_latency(const processor *p, const am_value *cycles, line_cost *out)
{
    if (!cycles->bounded_above || !p->clock.known)
        return;
    int64_t lower = cycles->bounded_below && cycles->lower > 0 ? cycles->lower : 0;
    int64_t upper = cycles->upper > lower ? cycles->upper : lower;
    *out = (line_cost){.known = true};
    out->min = fine_add(0, (fine)lower * (fine)p->clock.fast.num);
    out->max = fine_add(0, (fine)upper * (fine)p->clock.slow.num);
}

static bool by_rate(const lowering *l, const processor *p, const am_access_element *e, line_cost *out)
{
    int64_t rate = whole(e->data_rate);
    if (!rate || l->line_bytes > INT64_MAX / 8)
        return false;
    out->known = true;
    out->min = fine_cycles_down(l->line_bytes * 8, rate, p->clock.fast);
    out->max = fine_cycles_up(l->line_bytes * 8, rate, p->clock.slow);
    return true;
}

/* What a unit on the way takes, in cycles of its own clock: a memory, a cache or a connection handler. */
static void add_unit(const lowering *l, const processor *p, int unit, bool write, line_cost *out)
{
    const am_unit *u = &l->m->units[unit];
    const am_definition *d = u->definition < 0 ? NULL : &l->m->definitions[u->definition];
    const am_value *v = !d                              ? NULL
                        : d->kind != AM_UNIT_CONNECTION ? &d->access_latency
                        : write                         ? &d->write_latency
                                                        : &d->read_latency;
    int64_t hz = whole(u->frequency);
    if (!v || !v->given || !v->bounded_above || !hz) {
        out->partial = true;
        return;
    }
    int64_t lower = v->bounded_below && v->lower > 0 ? v->lower : 0, upper = v->upper > lower ? v->upper : lower;
    out->known = true;
    out->min = fine_add(out->min, fine_cycles_down(lower, hz, p->clock.fast));
    out->max = fine_add(out->max, fine_cycles_up(upper, hz, p->clock.slow));
}

/* The path, where the model has one, and the memory at its end. */
static void by_path(const lowering *l, const processor *p, const am_access_element *e, int memory, bool write,
                    line_cost *out)
{
    out->partial = !e || !e->has_path; /* the way is not said */
    for (size_t i = 0; e && i < e->path_count; i++)
        if (e->path[i] >= 0 && e->path[i] != memory)
            add_unit(l, p, e->path[i], write, out);
    add_unit(l, p, memory, write, out);
}

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
    const am_access_element *e = element_to(&l->m->units[p->unit], memory);
    const am_value *latency = !e ? NULL : write ? &e->write_latency : &e->read_latency;
    if (latency && latency->given)
        by_latency(p, latency, &c);
    else if (!e || !by_rate(l, p, e, &c))
        by_path(l, p, e, memory, write, &c);
    return c;
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
                       "Accesses to memory take no time here: nothing is said about how long they take (first: %s "
                       "accesses %s, on %s). Times that leave them out are too short.",
                       by, l->m->labels[access->label].name, p->name);
}

static gcast_status tell_partial(lowering *l, const processor *p, const am_item *access)
{
    if (l->told_path)
        return GCAST_OK;
    l->told_path = true;
    return finding_add(l, access->at, SYS_CONDITION | SYS_LEFT_OUT,
                       "Nothing is said about a part of the way from %s to the memory of label %s: that part takes no "
                       "time here, nor do others of which nothing is said.",
                       p->name, l->m->labels[access->label].name);
}

static gcast_status tell_contention(lowering *l)
{
    if (l->told_contention || l->s->core_count + (l->gpu_unit >= 0) < 2)
        return GCAST_OK;
    l->told_contention = true;
    return finding_add(l, lower_nowhere(), SYS_CONDITION,
                       "Accesses to memory take as long as the model says that one takes alone: contention with other "
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
    int64_t bytes = label_bytes(&l->m->labels[access->label]);
    if (bytes < 0 && !l->told_label_size && status == GCAST_OK) {
        l->told_label_size = true;
        status = finding_add(l, l->m->labels[access->label].at, SYS_CONDITION | SYS_LEFT_OUT,
                             "The size of label %s is not said: an access to it is one line of memory, as to all "
                             "labels without a size.",
                             l->m->labels[access->label].name);
    }
    int64_t lines = bytes < 0 ? 1 : memory_lines(l, bytes);
    out->min = out->access_min = fine_scale(line.min, lines);
    out->max = out->access_max = fine_scale(line.max, lines);
    return status;
}
