#include "report/exec/profile.h"

#include <stdlib.h>

uint64_t exec_ratio(uint64_t a, uint64_t b, uint64_t scale)
{
    return b ? (uint64_t)(((unsigned __int128)a * scale + b / 2) / b) : 0;
}

static int larger_first(uint64_t a, uint64_t b)
{
    return (a < b) - (a > b);
}

static int by_cost(const void *x, const void *y)
{
    const gcast_simt_line *a = *(const gcast_simt_line *const *)x, *b = *(const gcast_simt_line *const *)y;
    int order = larger_first(a->counts.lost_divergence, b->counts.lost_divergence);
    if (!order)
        order = larger_first(a->counts.lost_return, b->counts.lost_return);
    if (!order)
        order = larger_first(a->counts.sectors + a->counts.shared_wavefronts,
                             b->counts.sectors + b->counts.shared_wavefronts);
    if (!order)
        order = larger_first(a->counts.instructions, b->counts.instructions);
    return order ? order : larger_first(b->ptx_line, a->ptx_line);
}

const gcast_simt_line **exec_lines(const gcast_simt_report *r)
{
    const gcast_simt_line **lines = malloc(((size_t)r->lines + 1) * sizeof *lines);
    for (uint32_t i = 0; lines && i < r->lines; i++)
        lines[i] = &r->line[i];
    if (lines)
        qsort(lines, r->lines, sizeof *lines, by_cost);
    return lines;
}

mask_run *exec_mask_runs(const gcast_simt_report *r, bool by_line, size_t *count)
{
    mask_run *runs = malloc(((size_t)r->masks + 1) * sizeof *runs);
    *count = 0;
    for (uint32_t i = 0; runs && i < r->masks; i++) {
        const gcast_simt_mask *m = &r->mask[i];
        bool same_run = i > 0 && m->active == m[-1].active && (!by_line || m->source_line == m[-1].source_line);
        if (by_line && !m->source_line) /* without source lines, a new PTX line begins a run */
            same_run = same_run && m->ptx_line == m[-1].ptx_line;
        if (same_run)
            runs[*count - 1].count++;
        else
            runs[(*count)++] = (mask_run){m->active, i, 1};
    }
    return runs;
}
