#include "report/exec/json.h"

#include <stdlib.h>
#include <zlib.h>

#include "report/exec/cost.h"
#include "report/exec/profile.h"
#include "report/exec/races.h"
#include "report/exec/times.h"

/* The single numbers of gcast_simt_counts, in the order in which they are written. */
#define COUNT_TABLE(X)                                                                                                 \
    X(instructions)                                                                                                    \
    X(thread_instructions)                                                                                             \
    X(lost_divergence)                                                                                                 \
    X(lost_return)                                                                                                     \
    X(lost_block)                                                                                                      \
    X(branches)                                                                                                        \
    X(divergent)                                                                                                       \
    X(requests)                                                                                                        \
    X(sectors)                                                                                                         \
    X(shared_requests)                                                                                                 \
    X(shared_wavefronts)                                                                                               \
    X(atomics)                                                                                                         \
    X(atomic_rounds)                                                                                                   \
    X(barriers)                                                                                                        \
    X(barrier_waits)

static const struct {
    const char *name;
    size_t offset;
} counts[] = {
#define X(name) {#name, offsetof(gcast_simt_counts, name)},
    COUNT_TABLE(X)
#undef X
};
#define COUNTS (sizeof counts / sizeof counts[0])

static const char *const mix_keys[] = {
#define X(name, text) #name,
    GCAST_SIMT_MIX_TABLE(X)
#undef X
};

static uint64_t count_at(const gcast_simt_counts *c, size_t i)
{
    return *(const uint64_t *)(const void *)((const char *)c + counts[i].offset);
}

static void put_counts(text *t, const gcast_simt_counts *c)
{
    text_char(t, '{');
    for (size_t i = 0; i < COUNTS; i++) {
        text_printf(t, "\"%s\": ", counts[i].name);
        text_uint(t, count_at(c, i));
        text_str(t, ", ");
    }
    text_str(t, "\"mix\": {");
    for (int m = 0, printed = 0; m < GCAST_SIMT_MIX; m++) {
        if (!c->mix[m])
            continue;
        text_printf(t, "%s\"%s\": ", printed++ ? ", " : "", mix_keys[m]);
        text_uint(t, c->mix[m]);
    }
    text_str(t, "}}");
}

static void put_line(text *t, const gcast_simt_line *l)
{
    text_str(t, "{\"file\": ");
    if (l->file)
        text_json(t, l->file);
    else
        text_str(t, "null");
    text_printf(t, ", \"line\": %u, \"ptx_line\": %u, \"counts\": ", l->line, l->ptx_line);
    put_counts(t, &l->counts);
    text_char(t, '}');
}

static void put_masks(text *t, const gcast_exec *e)
{
    size_t count;
    mask_run *runs = exec_mask_runs(e->report, true, &count);
    if (!runs) {
        text_no_memory(t);
        return;
    }
    text_printf(t, ",\n \"masks\": {\"block\": %u, \"warp\": %u, \"runs\": [", e->options->masks_of_block,
                e->options->masks_of_warp);
    for (size_t i = 0; i < count; i++) {
        const gcast_simt_mask *m = &e->report->mask[runs[i].first];
        text_printf(t, "%s\n  [%u, %u, \"%08x\", %u, \"%08x\"]", i ? "," : "", m->source_line, m->ptx_line, m->active,
                    runs[i].count, m->returned);
    }
    text_str(t, "]}");
    free(runs);
}

static void put_report(text *t, const gcast_exec *e)
{
    const gcast_simt_report *r = e->report;
    text_printf(t,
                ",\n \"model\": \"%s\", \"model_from\": \"%s\", \"sm\": %d, \"blocks\": %llu, \"warps\": %llu, "
                "\"most_warp_instructions\": %llu,\n",
                r->model == GCAST_SIMT_STACK ? "stack" : "threads",
                e->options->model == GCAST_SIMT_BY_TARGET ? "target" : "option", r->sm, (unsigned long long)r->blocks,
                (unsigned long long)r->warps, (unsigned long long)r->max_warp_instructions);
    text_printf(t, " \"declared_registers\": %u, \"estimated_registers\": %u", r->registers, r->estimated_registers);
    if (e->registers)
        text_printf(t, ", \"registers\": %u", e->registers);
    text_printf(t, ", \"shared_bytes\": %u, \"local_bytes\": %u, \"one_by_one\": %s,\n", r->shared_bytes,
                r->local_bytes, r->one_by_one ? "true" : "false");
    text_printf(t, " \"contract\": \"%s\", \"contracted\": %u,\n \"counts\": ",
                e->options->contract == GCAST_SIMT_CONTRACT_OFF ? "off" : "ptxas", r->contracted);
    put_counts(t, &r->counts);
    if (e->options->profile) {
        text_str(t, ",\n \"lines\": [");
        for (uint32_t i = 0; i < r->lines; i++) {
            text_str(t, i ? ",\n  " : "\n  ");
            put_line(t, &r->line[i]);
        }
        text_char(t, ']');
    }
    if (e->options->check_races)
        exec_races_json(r, t);
    if (e->options->max_masks)
        put_masks(t, e);
}

static void put_dims(text *t, const char *key, const uint32_t d[3])
{
    text_printf(t, ", \"%s\": [%u, %u, %u]", key, d[0], d[1], d[2]);
}

void exec_json(const gcast_exec *e, text *t)
{
    const gcast_launch *l = e->launch;
    text_str(t, "{\"schema\": \"gridcast.exec/1\", \"source\": ");
    text_json(t, e->source);
    text_str(t, ", \"kernel\": ");
    text_json(t, e->kernel);
    put_dims(t, "grid", l->grid);
    put_dims(t, "block", l->block);
    text_printf(t, ", \"on\": \"%s\"", e->report ? "machine" : "gpu");
    if (e->report)
        put_report(t, e);
    if (e->cost)
        exec_cost_json(e->cost, t);
    if (e->times)
        exec_times_json(e->times, t);
    text_str(t, ",\n \"buffers\": [");
    for (uint32_t i = 0; i < l->buffers; i++) {
        const gcast_buffer *b = &l->buffer[i];
        text_str(t, i ? ",\n  {\"name\": " : "\n  {\"name\": ");
        text_json(t, b->name ? b->name : "a buffer");
        text_printf(t, ", \"bytes\": %zu, \"crc32\": \"%08lx\"}", b->bytes, crc32_z(0, b->data, b->bytes));
    }
    text_char(t, ']');
    if (e->printed) {
        text_str(t, ",\n \"printed\": ");
        text_json(t, e->printed);
    }
    text_str(t, "}\n");
}

void exec_csv(const gcast_exec *e, text *t)
{
    text_str(t, "file,line,ptx_line");
    for (size_t i = 0; i < COUNTS; i++)
        text_printf(t, ",%s", counts[i].name);
    for (int m = 0; m < GCAST_SIMT_MIX; m++)
        text_printf(t, ",mix_%s", mix_keys[m]);
    text_char(t, '\n');
    for (uint32_t i = 0; e->report && i < e->report->lines; i++) {
        const gcast_simt_line *l = &e->report->line[i];
        text_csv(t, l->file ? l->file : "");
        text_printf(t, ",%u,%u", l->line, l->ptx_line);
        for (size_t k = 0; k < COUNTS; k++) {
            text_char(t, ',');
            text_uint(t, count_at(&l->counts, k));
        }
        for (int m = 0; m < GCAST_SIMT_MIX; m++) {
            text_char(t, ',');
            text_uint(t, l->counts.mix[m]);
        }
        text_char(t, '\n');
    }
}
