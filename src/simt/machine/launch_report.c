/* The report: counts by op become counts of the launch, of the instruction mix and of lines; and the races found. */
#include "simt/machine/launch_report.h"

#include <stdlib.h>

#include "base/integers.h"
#include "gridcast/gpu.h"
#include "simt/program/program.h"
#include "simt/ptxas/registers.h"
#include "simt/races/race_checker.h"

typedef struct owned_report {
    gcast_simt_report report; /* first, as the caller gets a pointer to it */
    arena memory;             /* owns all data that the report refers to */
} owned_report;

void gcast_simt_report_free(gcast_simt_report *r)
{
    owned_report *x = (owned_report *)r;
    if (!x)
        return;
    arena_free(&x->memory);
    free(x);
}

static void add_op(gcast_simt_counts *sum, const op *o, const op_counts *counts)
{
    sum->instructions += counts->instructions;
    sum->thread_instructions += counts->thread_instructions;
    sum->lost_divergence += counts->lost_divergence;
    sum->lost_return += counts->lost_return;
    sum->lost_block += counts->lost_block;
    sum->mix[o->mix] += counts->instructions;
    if ((o->kind == OP_BRANCH && !(o->guard & 1)) || o->kind == OP_TABLE_BRANCH)
        sum->branches += counts->instructions;
    sum->divergent += counts->divergent;
    sum->requests += counts->requests;
    sum->sectors += counts->sectors;
    sum->shared_requests += counts->shared_requests;
    sum->shared_wavefronts += counts->wavefronts;
    if (o->mix == GCAST_SIMT_atomic)
        sum->atomics += counts->instructions;
    sum->atomic_rounds += counts->atomic_rounds;
    if (o->kind == OP_BARRIER)
        sum->barriers += counts->instructions;
    sum->barrier_waits += counts->barrier_wait;
}

static void add_counts(op_counts *sum, const op_counts *counts)
{
    sum->instructions += counts->instructions;
    sum->thread_instructions += counts->thread_instructions;
    sum->lost_divergence += counts->lost_divergence;
    sum->lost_return += counts->lost_return;
    sum->lost_block += counts->lost_block;
    sum->divergent += counts->divergent;
    sum->barrier_wait += counts->barrier_wait;
    sum->requests += counts->requests;
    sum->sectors += counts->sectors;
    sum->shared_requests += counts->shared_requests;
    sum->wavefronts += counts->wavefronts;
    sum->atomic_rounds += counts->atomic_rounds;
}

/* Makes lines in the order of their first op. An op whose source line is not known counts for its PTX line. */
static bool make_lines(owned_report *x, const program *p, const op_counts *counts)
{
    gcast_simt_line *line = arena_alloc_array(&x->memory, (size_t)p->ops + 1, sizeof *line);
    hash_index index = {0};
    uint32_t n = 0;
    bool ok = line != NULL;
    for (uint32_t i = 0; ok && i < p->ops; i++) {
        const op *o = &p->op[i];
        if (!counts[i].instructions)
            continue;
        uint32_t key[2] = {o->source_line ? o->source_file : UINT32_MAX,
                           o->source_line ? o->source_line : (uint32_t)o->line};
        uint64_t hash = index_hash(key, sizeof key);
        const char *file = source_file_of(p, o);
        gcast_simt_line *found = NULL;
        for (index_probe k = index_start(&index, hash); !found && index_next(&index, &k);)
            if (line[k.value].line == key[1] && line[k.value].file == file)
                found = &line[k.value];
        if (!found) {
            found = &line[n];
            *found = (gcast_simt_line){.file = file, .line = key[1], .ptx_line = (uint32_t)o->line};
            ok = index_add(&index, hash, n++);
        }
        add_op(&found->counts, o, &counts[i]);
    }
    for (uint32_t i = 0; ok && i < n; i++)
        ok = !line[i].file || (line[i].file = arena_strdup(&x->memory, line[i].file));
    index_free(&index);
    x->report.line = line;
    x->report.lines = n;
    return ok;
}

static int by_kind(const void *a, const void *b)
{
    const gcast_simt_race *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->first.ptx_line != y->first.ptx_line)
        return x->first.ptx_line < y->first.ptx_line ? -1 : 1;
    return (x->second.ptx_line > y->second.ptx_line) - (x->second.ptx_line < y->second.ptx_line);
}

static bool keep_text(owned_report *x, const char **s)
{
    return !*s || (*s = arena_strdup(&x->memory, *s));
}

static bool make_races(owned_report *x, const race_checker *checker)
{
    gcast_simt_report *r = &x->report;
    gcast_simt_race *race = checker ? arena_alloc_array(&x->memory, checker->found.count + 1, sizeof *race) : NULL;
    for (size_t i = 0; race && i < checker->found.count; i++) {
        race[i] = checker->found.at[i].race;
        race[i].why = checker->found.at[i].why;
        if (!keep_text(x, &race[i].why) || !keep_text(x, &race[i].buffer) || !keep_text(x, &race[i].first.file) ||
            !keep_text(x, &race[i].second.file))
            return false;
        if (race[i].kind == GCAST_RACE_UNORDERED)
            r->races++;
        else
            r->race_notes++;
    }
    if (!checker || !race)
        return !checker;
    qsort(race, checker->found.count, sizeof *race, by_kind);
    r->race = race;
    r->races_cut = checker->cut && checker->blocks_meet;
    return true;
}

static bool make_masks(owned_report *x, const core *cores, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (cores[i].masks) {
            x->report.masks = cores[i].masks;
            x->report.mask = arena_copy(&x->memory, cores[i].mask, cores[i].masks * sizeof *cores[i].mask);
            return x->report.mask != NULL;
        }
    return true;
}

gcast_status report_make(machine *m, core *cores, uint32_t count, gcast_simt_report **out, gcast_error *err)
{
    const program *p = m->program;
    owned_report *x = calloc(1, sizeof *x);
    if (!x)
        return gcast_error_set_memory(err);
    gcast_simt_report *r = &x->report;
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = 0; k < p->ops; k++)
            add_counts(&cores[0].counts[k], &cores[i].counts[k]);
    for (uint32_t i = 0; i < count; i++) {
        r->warps += cores[i].warps;
        r->max_warp_instructions = max_u64(r->max_warp_instructions, cores[i].max_warp_instructions);
    }
    for (uint32_t k = 0; k < p->ops; k++)
        add_op(&r->counts, &p->op[k], &cores[0].counts[k]);
    for (uint32_t k = 0; k < p->ops; k++)
        r->contracted += p->op[k].fused && cores[0].counts[k].instructions;
    r->blocks = m->blocks;
    r->model = m->options->model;
    r->sm = p->module->sm;
    for (uint32_t i = 0; i < p->functions; i++) {
        r->registers = max_u32(r->registers, p->function[i].registers);
        r->local_bytes += p->function[i].local_bytes;
    }
    r->shared_bytes = p->shared_bytes - p->reserved_shared;
    const gcast_gpu *gpu = m->options->gpu;
    int sm = gpu ? gpu->limits.cc_major * 10 + gpu->limits.cc_minor : p->module->sm;
    gcast_status status = registers_estimate(p, sm, &r->estimated_registers, err);
    r->registers_margin = registers_margin(sm);
    if (status != GCAST_OK) {
        gcast_simt_report_free(r);
        return status;
    }
    if (m->block_cost)
        r->cost = arena_copy(&x->memory, m->block_cost, m->blocks * sizeof *m->block_cost);
    bool ok = (!m->block_cost || r->cost) && (!m->options->profile || make_lines(x, p, cores[0].counts)) &&
              make_races(x, m->races) && make_masks(x, cores, count);
    if (!ok) {
        gcast_simt_report_free(r);
        return gcast_error_set_memory(err);
    }
    *out = r;
    return GCAST_OK;
}
