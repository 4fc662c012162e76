/* gcast_exec_report: the choice of a writer, and what the writers share. */
#include "report/exec/exec.h"

#include <stdlib.h>

#include "base/api/options_copy.h"

uint64_t exec_ratio(uint64_t a, uint64_t b, uint64_t scale)
{
    return b ? (uint64_t)(((unsigned __int128)a * scale + b / 2) / b) : 0;
}

static int falling(uint64_t a, uint64_t b)
{
    return (a < b) - (a > b);
}

static int worse_first(const void *x, const void *y)
{
    const gcast_simt_line *a = *(const gcast_simt_line *const *)x, *b = *(const gcast_simt_line *const *)y;
    int order = falling(a->counts.lost_divergence, b->counts.lost_divergence);
    if (!order)
        order = falling(a->counts.lost_return, b->counts.lost_return);
    if (!order)
        order =
            falling(a->counts.sectors + a->counts.shared_wavefronts, b->counts.sectors + b->counts.shared_wavefronts);
    if (!order)
        order = falling(a->counts.instructions, b->counts.instructions);
    return order ? order : falling(b->ptx_line, a->ptx_line);
}

const gcast_simt_line **exec_lines(const gcast_simt_report *r)
{
    const gcast_simt_line **lines = malloc(((size_t)r->lines + 1) * sizeof *lines);
    for (uint32_t i = 0; lines && i < r->lines; i++)
        lines[i] = &r->line[i];
    if (lines)
        qsort(lines, r->lines, sizeof *lines, worse_first);
    return lines;
}

mask_run *exec_mask_runs(const gcast_simt_report *r, bool by_line, size_t *count)
{
    mask_run *runs = malloc(((size_t)r->masks + 1) * sizeof *runs);
    *count = 0;
    for (uint32_t i = 0; runs && i < r->masks; i++) {
        const gcast_simt_mask *m = &r->mask[i];
        bool same = i > 0 && m->active == m[-1].active && (!by_line || m->source_line == m[-1].source_line);
        if (by_line && !m->source_line) /* PTX lines are all there is */
            same = same && m->ptx_line == m[-1].ptx_line;
        if (same)
            runs[*count - 1].count++;
        else
            runs[(*count)++] = (mask_run){m->active, i, 1};
    }
    return runs;
}

gcast_status gcast_exec_report(const gcast_exec *given, gcast_format format, gcast_write_fn write, void *data,
                               gcast_error *err)
{
    gcast_simt_options own = gcast_simt_options_default();
    gcast_status status = options_copy(&own, sizeof own, given->options, "gcast_simt_options", err);
    if (status != GCAST_OK)
        return status;
    gcast_exec with_own = *given;
    const gcast_exec *e = &with_own;
    with_own.options = &own;
    static void (*const writers[GCAST_FORMATS])(const gcast_exec *, text *) = {
        [GCAST_FORMAT_TABLE] = exec_table, [GCAST_FORMAT_CSV] = exec_csv, [GCAST_FORMAT_JSON] = exec_json};
    if (format == GCAST_FORMAT_SVG || format == GCAST_FORMAT_PNG || format == GCAST_FORMAT_PDF)
        return exec_masks_draw(e, format, write, data, err);
    if ((unsigned)format >= GCAST_FORMATS || !writers[format])
        return gcast_error_set(err, GCAST_USAGE, NULL, "a launch cannot be written as %s", gcast_format_ending(format));
    text t;
    text_open(&t, write, data);
    writers[format](e, &t);
    return text_finish(&t, err);
}
