/* gcast_simt_run checks the launch, runs it on copies of the buffers, and copies them back if it succeeds.
 * gcast_simt_block_shape only finds the resources that a block takes. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/api.h"
#include "base/integers.h"
#include "gridcast/launch.h"
#include "ptx/public.h"
#include "simt/cost/cost_program.h"
#include "simt/machine/host_cores.h"
#include "simt/machine/launch_check.h"
#include "simt/machine/launch_report.h"
#include "simt/machine/machine.h"
#include "simt/memory/block_conflicts.h"
#include "simt/memory/device_heap.h"
#include "simt/program/program.h"
#include "simt/program/translate.h"
#include "simt/races/races.h"

#define DEFAULT_MAX_INSTRUCTIONS 1000000000u
#define MAX_CORES 256

/* The region of a variable of the module; NULL: there is none. Buffers of the launch come before variables. */
static region *find_variable_region(const program *p, const gcast_launch *l, const char *name)
{
    for (uint32_t i = l->buffers; i < p->regions; i++)
        if (strcmp(p->region[i].name, name) == 0)
            return &p->region[i];
    return NULL;
}

/* Sets variables of the module. GCAST_INPUT: there is no such variable, or it has another size. */
static gcast_status module_variables_in(program *p, const gcast_launch *l, gcast_error *err)
{
    for (uint32_t i = 0; i < l->variables; i++) {
        const gcast_variable *b = &l->variable[i];
        region *r = find_variable_region(p, l, b->name);
        if (!r)
            return gcast_error_set(err, GCAST_INPUT, "/variable", "the module has no variable %.100s", b->name);
        if (r->bytes != b->bytes)
            return gcast_error_set(err, GCAST_INPUT, "/variable", "variable %.100s has %llu bytes, not %zu", b->name,
                                   (unsigned long long)r->bytes, b->bytes);
        if (b->is_set && b->bytes)
            memcpy(r->data, b->data, b->bytes);
    }
    return GCAST_OK;
}

static void module_variables_out(const program *p, gcast_launch *l)
{
    for (uint32_t i = 0; i < l->variables; i++)
        if (l->variable[i].bytes)
            memcpy(l->variable[i].data, find_variable_region(p, l, l->variable[i].name)->data, l->variable[i].bytes);
}

static gcast_status copy_in(program *p, const gcast_launch *l, gcast_error *err)
{
    for (uint32_t i = 0; i < l->buffers; i++) {
        region *r = &p->region[i];
        if (!r->data)
            r->data = malloc(r->bytes + 16);
        if (!r->data)
            return gcast_error_set_memory(err);
        if (r->bytes)
            memcpy(r->data, l->buffer[i].data, r->bytes);
    }
    return GCAST_OK;
}

/* The variables of the module before the launch, for a second run. */
typedef struct saved_variables {
    char *bytes; /* of all variables, one after the other */
    size_t size; /* number of bytes */
} saved_variables;

static gcast_status save_variables(const machine *m, saved_variables *s, gcast_error *err)
{
    const program *p = m->program;
    for (uint32_t i = m->launch->buffers; i < p->regions; i++)
        s->size += p->region[i].bytes;
    s->bytes = malloc(s->size + 1);
    size_t at = 0;
    for (uint32_t i = m->launch->buffers; s->bytes && i < p->regions; at += p->region[i++].bytes)
        memcpy(s->bytes + at, p->region[i].data, p->region[i].bytes);
    return s->bytes ? GCAST_OK : gcast_error_set_memory(err);
}

static void restore_variables(const machine *m, const saved_variables *s)
{
    const program *p = m->program;
    size_t at = 0;
    for (uint32_t i = m->launch->buffers; i < p->regions; at += p->region[i++].bytes)
        memcpy(p->region[i].data, s->bytes + at, p->region[i].bytes);
}

static void free_cores(core *cores, uint32_t count)
{
    for (uint32_t i = 0; cores && i < count; i++) {
        free(cores[i].counts);
        free(cores[i].mask);
    }
    free(cores);
}

static core *make_cores(machine *m, uint32_t count, gcast_error *err)
{
    core *cores = calloc((size_t)count + 1, sizeof *cores);
    bool ok = cores != NULL;
    for (uint32_t i = 0; ok && i < count; i++) {
        cores[i].machine = m;
        cores[i].err = count == 1 ? err : NULL;
        cores[i].counts = calloc((size_t)m->program->ops + 1, sizeof *cores[i].counts);
        if (m->options->max_masks)
            cores[i].mask = calloc(m->options->max_masks, sizeof *cores[i].mask);
        ok = cores[i].counts && (!m->options->max_masks || cores[i].mask);
    }
    if (ok)
        return cores;
    free_cores(cores, count);
    gcast_error_set_memory(err);
    return NULL;
}

static void drop_printed(machine *m)
{
    for (size_t i = 0; i < m->printed.count; i++)
        free(m->printed.at[i].text.data);
    vec_free(&m->printed);
}

/* Runs all blocks once, in turn or while it tracks whether they exchange data. GCAST_NO: they must run again, because
 * they exchange data but did not run in turn, or to find the lines of races. */
static gcast_status run_once(machine *m, uint32_t count, bool in_turn, gcast_simt_report **out, gcast_error *err)
{
    atomic_store(&m->next_block, 0);
    atomic_store(&m->done_blocks, 0);
    atomic_store(&m->stopping, false);
    atomic_store(&m->has_conflict, false);
    atomic_store(&m->printed_bytes, 0);
    m->tracks_conflicts = !in_turn;
    m->single_core = count == 1;
    core *cores = make_cores(m, count, err);
    if (!cores)
        return GCAST_RESOURCE;
    gcast_status status = heap_make(m) ? GCAST_OK : gcast_error_set_memory(err);
    if (status == GCAST_OK && m->options->check_races)
        status = races_open(m, m->rerun_for_lines, err);
    m->rerun_for_lines = false;
    if (status == GCAST_OK && m->tracks_conflicts && m->blocks > 1)
        status = conflicts_prepare(m, err);
    if (status == GCAST_OK)
        status = blocks_run(m, cores, count);
    conflicts_free(m);
    heap_drop(m);
    if (status == GCAST_OK && races_found_any(m)) {
        m->rerun_for_lines = true;
        status = GCAST_NO;
    }
    if (status == GCAST_OK)
        status = report_make(m, cores, count, out, err);
    races_close(m);
    free_cores(cores, count);
    return status;
}

static uint32_t core_count(const gcast_simt_options *o, uint64_t blocks)
{
    long wanted = o->check_races ? 1 : o->cores ? (long)o->cores : sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t n = wanted < 1 ? 1 : (uint64_t)wanted;
    return (uint32_t)min_u64(min_u64(n, blocks), MAX_CORES);
}

/* Runs all blocks again from the same start, on one core. */
static gcast_status run_from_start(machine *m, const saved_variables *s, bool in_turn, gcast_simt_report **out,
                                   gcast_error *err)
{
    drop_printed(m);
    restore_variables(m, s);
    gcast_status status = copy_in(m->program, m->launch, err);
    return status == GCAST_OK ? run_once(m, 1, in_turn, out, err) : status;
}

static gcast_status run_blocks(machine *m, gcast_simt_report **out, gcast_error *err)
{
    saved_variables s = {0};
    uint32_t cores = core_count(m->options, m->blocks);
    gcast_status status = save_variables(m, &s, err);
    bool single_block = m->blocks == 1, exchanged = false;
    if (status == GCAST_OK)
        status = run_once(m, cores, single_block, out, err);
    if (status != GCAST_OK && !m->rerun_for_lines && (cores > 1 || status == GCAST_NO)) {
        exchanged = true;
        status = run_from_start(m, &s, true, out, err);
    }
    if (m->rerun_for_lines)
        status = run_from_start(m, &s, single_block || exchanged, out, err);
    if (status == GCAST_OK)
        (*out)->one_by_one = exchanged;
    free(s.bytes);
    return status;
}

static int by_block(const void *a, const void *b)
{
    const block_text *x = a, *y = b;
    return (x->block > y->block) - (x->block < y->block);
}

static void copy_out(machine *m, gcast_launch *l)
{
    for (uint32_t i = 0; i < l->buffers; i++)
        if (l->buffer[i].bytes)
            memcpy(l->buffer[i].data, m->program->region[i].data, l->buffer[i].bytes);
    module_variables_out(m->program, l);
    if (m->printed.count)
        qsort(m->printed.at, m->printed.count, sizeof *m->printed.at, by_block);
    for (size_t i = 0; i < m->printed.count; i++)
        m->options->print(m->options->print_data, m->printed.at[i].text.data, m->printed.at[i].text.used);
}

static gcast_status prepare_cost(machine *m, gcast_error *err)
{
    m->block_cost = arena_alloc_array(&m->program->memory, m->blocks, sizeof *m->block_cost);
    return m->block_cost ? cost_prepare(m->program, &m->cost, err) : gcast_error_set_memory(err);
}

static gcast_status run_program(program *p, gcast_launch *l, const gcast_simt_options *o, gcast_simt_report **out,
                                gcast_error *err)
{
    machine m = {
        .program = p,
        .options = o,
        .launch = l,
        .blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2],
        .block_threads = l->block[0] * l->block[1] * l->block[2],
        .max_instructions = o->max_instructions ? o->max_instructions : DEFAULT_MAX_INSTRUCTIONS,
    };
    m.block_warps = (uint32_t)div_up(m.block_threads, LANES);
    pthread_mutex_init(&m.print_lock, NULL);
    gcast_status status = copy_in(p, l, err);
    if (status == GCAST_OK)
        status = module_variables_in(p, l, err);
    if (status == GCAST_OK && o->cost)
        status = prepare_cost(&m, err);
    if (status == GCAST_OK)
        status = run_blocks(&m, out, err);
    if (status == GCAST_OK)
        copy_out(&m, l);
    drop_printed(&m);
    pthread_mutex_destroy(&m.print_lock);
    return status;
}

/* Fills in defaults and the model of threads. */
static gcast_status settle_options(gcast_simt_options *own, const gcast_simt_options *given, int sm, gcast_error *err)
{
    *own = gcast_simt_options_default();
    gcast_status status = options_copy(own, sizeof *own, given, "gcast_simt_options", err);
    if (status == GCAST_OK &&
        ((unsigned)own->model > GCAST_SIMT_STACK || (unsigned)own->contract > GCAST_SIMT_CONTRACT_OFF))
        status = gcast_error_set(err, GCAST_USAGE, NULL, "there is no such model of threads, or contraction");
    if (own->model == GCAST_SIMT_BY_TARGET)
        own->model = sm && sm < GCAST_SIMT_VOLTA ? GCAST_SIMT_STACK : GCAST_SIMT_THREADS;
    return status;
}

static void free_program(program *p, const gcast_launch *l)
{
    for (uint32_t i = 0; p->region && i < l->buffers; i++)
        free(p->region[i].data);
    vec_free(&p->variables);
    index_free(&p->variable_index);
    arena_free(&p->memory);
}

gcast_status gcast_simt_run(const gcast_ptx *ptx, gcast_launch *launch, const gcast_simt_options *options,
                            gcast_simt_report **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!ptx || !launch || !out)
        return argument_missing(err);
    gcast_simt_options effective;
    gcast_status status = settle_options(&effective, options, ptx->module->sm, err);
    program p = {.module = ptx->module, .contract = effective.contract};
    if (status == GCAST_OK)
        status = check_launch(launch, err);
    if (status == GCAST_OK)
        status = check_placement(launch, &effective, err);
    if (status == GCAST_OK)
        status = decode_program(&p, launch, err);
    if (status == GCAST_OK)
        status = check_kernel(&p, launch, &effective, err);
    if (status == GCAST_OK)
        status = run_program(&p, launch, &effective, out, err);
    free_program(&p, launch);
    return status;
}

gcast_status gcast_simt_block_shape(const gcast_ptx *ptx, const gcast_launch *launch, const gcast_simt_options *options,
                                    gcast_block_shape *out, gcast_error *err)
{
    if (!ptx || !launch || !out)
        return argument_missing(err);
    gcast_simt_options effective;
    gcast_status status = settle_options(&effective, options, ptx->module->sm, err);
    program p = {.module = ptx->module, .contract = effective.contract};
    if (status == GCAST_OK)
        status = check_launch(launch, err);
    if (status == GCAST_OK)
        status = decode_program(&p, launch, err);
    if (status == GCAST_OK)
        *out = block_shape(&p, launch, &effective);
    free_program(&p, launch);
    return status;
}
