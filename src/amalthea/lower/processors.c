#include "amalthea/lower/processors.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "amalthea/lower/lowering.h"
#include "base/number.h"

am_pu_type processor_type(const am_model *m, int unit)
{
    int d = m->units[unit].definition;
    return d < 0 ? AM_PU_UNKNOWN : m->definitions[d].pu;
}

const am_definition *processor_definition(const am_model *m, const processor *p)
{
    return p->definition < 0 ? NULL : &m->definitions[p->definition];
}

static bool same_value(const am_value *a, const am_value *b)
{
    if (a->given != b->given)
        return false;
    return !a->given || (a->bounded_below == b->bounded_below && a->bounded_above == b->bounded_above &&
                         a->lower == b->lower && a->upper == b->upper);
}

static bool same_path(const am_access_element *a, const am_access_element *b)
{
    if (a->has_path != b->has_path || a->path_count != b->path_count)
        return false;
    for (size_t i = 0; i < a->path_count; i++)
        if (a->path[i] != b->path[i])
            return false;
    return true;
}

static bool same_access(const am_access_element *a, const am_access_element *b)
{
    return a->destination == b->destination && a->data_rate == b->data_rate && same_path(a, b) &&
           same_value(&a->read_latency, &b->read_latency) && same_value(&a->write_latency, &b->write_latency);
}

/* Does every access of `a` take as long for `b`? */
static bool accesses_in(const am_unit *a, const am_unit *b)
{
    for (size_t i = 0; i < a->access_count; i++) {
        bool found = false;
        for (size_t k = 0; k < b->access_count && !found; k++)
            found = same_access(&a->accesses[i], &b->accesses[k]);
        if (!found)
            return false;
    }
    return true;
}

/* Do both units take the same time for everything? */
static bool same_kind(const am_unit *a, const am_unit *b)
{
    return a->definition == b->definition && a->frequency == b->frequency && accesses_in(a, b) && accesses_in(b, a);
}

static gcast_status set_clock(lowering *l, processor *p)
{
    const am_unit *u = &l->m->units[p->unit];
    p->clock = tick_clock_unknown();
    if (u->frequency > 0 && !tick_clock_of_frequency(u->frequency, &p->clock))
        return lower_error(l, u->at, "%s: its frequency is not a number from 1 Hz to 1000000 GHz", u->name);
    if (u->frequency <= 0 && l->given->tick_ps > 0)
        p->clock = tick_clock_of_ps(l->given->tick_ps);
    return GCAST_OK;
}

static gcast_status add_processor(lowering *l, int unit)
{
    const am_unit *u = &l->m->units[unit];
    processor *p = &l->processors[l->processor_count++];
    p->unit = unit;
    p->definition = u->definition;
    p->name = u->definition < 0 ? u->name : l->m->definitions[u->definition].name;
    return set_clock(l, p);
}

static int kind_of(const lowering *l, int unit)
{
    for (size_t k = 0; k < l->processor_count; k++)
        if (same_kind(&l->m->units[l->processors[k].unit], &l->m->units[unit]))
            return (int)k;
    return -1;
}

static gcast_status add_core(lowering *l, sys_core *cores, int unit)
{
    int kind = kind_of(l, unit);
    gcast_status status = GCAST_OK;
    if (kind < 0) {
        kind = (int)l->processor_count;
        status = add_processor(l, unit);
    }
    if (status != GCAST_OK)
        return status;
    l->core_of[unit] = (int)l->s->core_count;
    sys_core *c = &cores[l->s->core_count++];
    c->kind = kind;
    c->name = lower_keep(l, l->m->units[unit].name);
    return c->name ? GCAST_OK : GCAST_RESOURCE;
}

/* The name of its definition, and what distinguishes it from other kinds of the same definition. */
static const char *kind_name(lowering *l, size_t kind)
{
    const processor *p = &l->processors[kind];
    const am_unit *u = &l->m->units[p->unit];
    bool other = false, other_frequency = false;
    for (size_t k = 0; k < l->s->kind_count; k++) {
        if (k == kind || l->processors[k].definition != p->definition)
            continue;
        other = true;
        other_frequency |= l->m->units[l->processors[k].unit].frequency != u->frequency;
    }
    if (!other || p->definition < 0)
        return lower_keep(l, p->name);
    char name[400];
    if (other_frequency)
        number_print(name, sizeof name, "%.200s at %g MHz", p->name, u->frequency / 1e6);
    else
        snprintf(name, sizeof name, "%.200s as %.150s", p->name, u->name);
    return lower_keep(l, name);
}

static gcast_status name_kinds(lowering *l)
{
    const char **kinds = lower_array(l, l->s->kind_count, sizeof *kinds);
    if (!kinds)
        return GCAST_RESOURCE;
    for (size_t k = 0; k < l->s->kind_count; k++)
        if (!(kinds[k] = kind_name(l, k)))
            return GCAST_RESOURCE;
    l->s->kinds = kinds;
    return GCAST_OK;
}

/* Compares the number of SMs with that of the model's features: a category or a feature named SMs. */
static gcast_status compare_features(lowering *l)
{
    const am_definition *d = processor_definition(l->m, &l->processors[l->gpu_processor]);
    for (size_t i = 0; d && i < d->feature_count; i++) {
        const am_feature *f = &d->features[i];
        if (strcasecmp(f->category, "SMs") != 0 && strcasecmp(f->name, "SMs") != 0)
            continue;
        if (f->value == l->gpu->sms)
            continue;
        gcast_status status = finding_add(l, d->at, SYS_CONDITION,
                                          "The model's GPU has %g SMs, but the named GPU (%s) has %d: %d are used.",
                                          f->value, l->gpu->name, l->gpu->sms, l->gpu->sms);
        if (status != GCAST_OK)
            return status;
    }
    return GCAST_OK;
}

static gcast_status find_gpu(lowering *l)
{
    if (l->gpu_unit < 0) {
        if (!l->gpu)
            return GCAST_OK;
        return finding_add(l, lower_nowhere(), 0, "The model has no processing unit of type GPU: %s is not used.",
                           l->gpu->name);
    }
    l->gpu_processor = (int)l->processor_count;
    gcast_status status = add_processor(l, l->gpu_unit);
    if (status != GCAST_OK || !l->gpu)
        return status;
    l->s->gpu = l->gpu;
    l->s->gpu_name = lower_keep(l, l->m->units[l->gpu_unit].name);
    return l->s->gpu_name ? compare_features(l) : GCAST_RESOURCE;
}

static gcast_status find_cores(lowering *l, sys_core *cores)
{
    const am_model *m = l->m;
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < m->unit_count && status == GCAST_OK; i++) {
        l->core_of[i] = -1;
        if (m->units[i].kind != AM_UNIT_PROCESSOR)
            continue;
        am_pu_type type = processor_type(m, (int)i);
        if (type == AM_PU_CPU || type == AM_PU_UNKNOWN)
            status = add_core(l, cores, (int)i);
        if (type != AM_PU_GPU)
            continue;
        if (l->gpu_unit >= 0)
            return lower_error(l, m->units[i].at, "The model has several GPUs, %s and %s: only one is analysed.",
                               m->units[l->gpu_unit].name, m->units[i].name);
        l->gpu_unit = (int)i;
    }
    return status;
}

static void find_memory(lowering *l)
{
    size_t count = 0;
    for (size_t i = 0; i < l->m->unit_count; i++)
        if (l->m->units[i].kind == AM_UNIT_MEMORY && ++count == 1)
            l->only_memory = (int)i;
    if (count != 1)
        l->only_memory = -1;
}

/* Finds the size of a cache line: as given, or as in the model's caches. Where these differ, the shortest counts, which
 * gives most lines. */
static gcast_status find_line(lowering *l)
{
    int64_t bits = 0;
    bool differ = false;
    for (size_t i = 0; i < l->m->definition_count; i++) {
        const am_definition *d = &l->m->definitions[i];
        if (d->kind != AM_UNIT_CACHE || d->line_bits < 8)
            continue;
        differ |= bits && bits != d->line_bits;
        bits = bits && bits < d->line_bits ? bits : d->line_bits;
    }
    l->line_bytes = l->given->line_bytes > 0 ? l->given->line_bytes : bits ? bits / 8 : 64;
    if (!differ || l->given->line_bytes > 0)
        return GCAST_OK;
    return finding_add(l, lower_nowhere(), SYS_APPROXIMATED,
                       "Caches have lines of several sizes: the shortest, %lld bytes, is used.",
                       (long long)l->line_bytes);
}

gcast_status processors_find(lowering *l)
{
    size_t count = l->m->unit_count;
    sys_core *cores = lower_array(l, count, sizeof *cores);
    l->core_of = lower_scratch(l, count, sizeof *l->core_of);
    l->processors = lower_scratch(l, count, sizeof *l->processors);
    if (!cores || !l->core_of || !l->processors)
        return GCAST_RESOURCE;
    l->s->cores = cores;
    l->gpu_unit = l->gpu_processor = l->only_memory = -1;
    l->s->gpu_name = "";
    gcast_status status = find_cores(l, cores);
    if (status != GCAST_OK)
        return status;
    if (!l->s->core_count)
        return lower_error(l, (am_place){l->m->file_count ? l->m->files[0] : "", 0},
                           "The model has no processing unit of type CPU: nothing can run its tasks.");
    l->s->kind_count = l->processor_count;
    status = name_kinds(l);
    if (status == GCAST_OK)
        status = find_gpu(l);
    find_memory(l);
    return status == GCAST_OK ? find_line(l) : status;
}
