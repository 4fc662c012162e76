/* gcast_whatif_report: what changes bring, for people and as gridcast.whatif/1. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "gridcast/names.h"
#include "gridcast/whatif.h"
#include "report/grid.h"
#include "report/phrases.h"
#include "whatif/whatif_rows.h"

/* The output for people: where the time goes, and a row for each change. */

#define US_WIDTH 12

enum { NR, END, SPAN, WON, SHARE, MISSES, WHY, CHANGE };

static const grid_column columns[] = {{"nr", true},
                                      {"end us", true},
                                      {"GPU us", true},
                                      {"won us", true},
                                      {"%", true},
                                      {"missed", true},
                                      {"critical path before, after", false},
                                      {"change", false},
                                      {NULL, false}};
static const grid_column columns_without_deadlines[] = {{"nr", true},      {"end us", true},
                                                        {"GPU us", true},  {"won us", true},
                                                        {"%", true},       {"critical path before, after", false},
                                                        {"change", false}, {NULL, false}};

/* Microseconds with all their digits. */
static void put_us(text *t, int64_t ns, int width)
{
    const char *sign = ns < 0 ? "-" : "";
    uint64_t n = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
    char digits[48];
    snprintf(digits, sizeof digits, "%s%" PRIu64 ".%03u", sign, n / 1000, (unsigned)(n % 1000));
    text_printf(t, "%*s", width, digits);
}

static void put_head(text *t, const gcast_whatif *r)
{
    text_terminal(t, *r->base.w->name ? r->base.w->name : r->base.w->source);
    text_str(t, " on ");
    text_terminal(t, r->base.gpu->name);
    if (r->base.of) {
        text_str(t, ": the end of ");
        text_terminal(t, r->base.of);
        text_str(t, " is at ");
    } else {
        text_str(t, ": the last end is at ");
    }
    put_us(t, r->before.end_ns, 0);
    text_str(t, " us, from the first start on the GPU to the last end ");
    put_us(t, r->before.gpu_ns, 0);
    text_str(t, " us");
    if (r->before.deadlines)
        text_printf(t, ", %zu of %zu deadlines missed", r->before.misses, r->before.deadlines);
    text_char(t, '\n');
}

static void put_labels(text *t, const gcast_whatif *r)
{
    if (!r->before.has_path)
        return;
    text_printf(t, "\n%*s %7s  where the time goes: the critical path, back from there to time 0\n", US_WIDTH, "us",
                "share");
    for (int k = 0; k < WAIT_LABELS; k++) {
        if (!r->before.by_label[k])
            continue;
        put_us(t, r->before.by_label[k], US_WIDTH);
        phrase_share(t, r->before.by_label[k], r->before.end_ns);
        text_printf(t, "  %-15s %s\n", wait_label_title((wait_label)k), wait_label_text((wait_label)k));
    }
    put_us(t, r->before.end_ns, US_WIDTH);
    text_str(t, "          in all\n");
    if (r->before.is_coarse)
        text_str(t, "more than 2 million blocks: time that a started kernel waits for SMs is counted as busy\n");
}

static void put_op(text *t, const gcast_workload *w, const path_part *p)
{
    const gcast_op *op = &w->ops[p->op];
    text_terminal(t, op->label);
    if (op->task != GCAST_ONCE)
        text_printf(t, "#%u", p->job);
}

static void put_parts(text *t, const gcast_whatif *r)
{
    text_printf(t, "\n%*s %*s  %-15s operation: why\n", US_WIDTH, "from us", US_WIDTH, "for us", "what");
    for (size_t i = 0; i < r->path.parts.count; i++) {
        const path_part *p = &r->path.parts.at[i];
        put_us(t, p->from_ns, US_WIDTH);
        text_char(t, ' ');
        put_us(t, p->to_ns - p->from_ns, US_WIDTH);
        text_printf(t, "  %-15s ", wait_label_title(p->label));
        put_op(t, r->base.w, p);
        text_printf(t, ": %s", gcast_text(GCAST_NAMES_REASON, p->reason));
        phrase_rule(t, p->reason, 0);
        text_char(t, '\n');
    }
}

/* Fills a cell, and escapes control characters, which labels from files may have. */
static void put_cell(grid *g, int column, text *made)
{
    text shown;
    size_t size;
    char *words = text_take(made, &size);
    text_open(&shown, NULL, NULL);
    if (words)
        text_terminal(&shown, words);
    free(words);
    char *escaped = text_take(&shown, &size);
    char *kept = words && escaped ? arena_strdup(&g->memory, escaped) : NULL;
    if (kept)
        grid_cell(g, column, kept);
    else
        g->failed = true;
    free(escaped);
}

static void cell_us(grid *g, int column, int64_t ns)
{
    text t;
    text_open(&t, NULL, NULL);
    put_us(&t, ns, 0);
    put_cell(g, column, &t);
}

static void cell_change(grid *g, int column, const gcast_whatif *r, const whatif_row *row)
{
    text t;
    text_open(&t, NULL, NULL);
    whatif_put_changes(row, &t);
    text_str(&t, ": ");
    whatif_put_words(r, row, &t);
    put_cell(g, column, &t);
}

static void cell_why(grid *g, int column, const gcast_whatif *r, const whatif_row *row)
{
    wait_label label;
    int64_t ns;
    if (row->state == WHATIF_HANGS) {
        grid_cell(g, column, "it hangs");
        return;
    }
    if (!whatif_why(&r->before, row, &label, &ns))
        return;
    text t;
    text_open(&t, NULL, NULL);
    text_printf(&t, "%s ", wait_label_title(label));
    put_us(&t, r->before.by_label[label], 0);
    text_str(&t, ", ");
    put_us(&t, row->by_label[label], 0);
    put_cell(g, column, &t);
}

/* How much of the end a change wins, in percent with one decimal. No floats: locales write them differently. */
static void cell_share(grid *g, int column, const gcast_whatif *r, int64_t won)
{
    uint64_t end = (uint64_t)r->before.end_ns, part = won < 0 ? -(uint64_t)won : (uint64_t)won;
    uint64_t permille = end ? (uint64_t)(((unsigned __int128)part * 1000 + end / 2) / end) : 0;
    grid_print(g, column, "%s%" PRIu64 ".%u", won < 0 && permille ? "-" : "", permille / 10, (unsigned)(permille % 10));
}

static void add_row(grid *g, const gcast_whatif *r, size_t i)
{
    const whatif_row *row = &r->rows.at[i];
    bool misses = r->before.deadlines > 0;
    grid_add(g, row->state == WHATIF_DONE ? GRID_PLAIN : GRID_DIM);
    grid_print(g, NR, "%zu", i + 1);
    if (row->state == WHATIF_DONE) {
        int64_t won = whatif_won_ns(&r->before, row);
        cell_us(g, END, row->end_ns);
        cell_us(g, SPAN, row->gpu_ns);
        cell_us(g, WON, won);
        cell_share(g, SHARE, r, won);
        if (misses)
            grid_print(g, MISSES, "%zu", row->misses);
    }
    cell_why(g, WHY - !misses, r, row);
    cell_change(g, CHANGE - !misses, r, row);
}

/* Says which change cannot be made, and why. */
static void put_refused(text *t, const whatif_row *row)
{
    text made;
    size_t size;
    text_open(&made, NULL, NULL);
    whatif_put_changes(row, &made);
    text_printf(&made, " not tried: %s", row->refusal);
    char *words = text_take(&made, &size);
    if (words)
        text_terminal(t, words);
    else
        text_no_memory(t);
    free(words);
    text_char(t, '\n');
}

/* Says how many rows are not shown: `nothing` changes bring nothing, `worse` ones cost time. */
static void put_hidden(text *t, const gcast_whatif *r, size_t nothing, size_t worse)
{
    if (nothing)
        text_printf(t, "%zu change%s nothing", nothing, nothing == 1 ? " brings" : "s bring");
    if (nothing && worse)
        text_str(t, ", ");
    if (worse)
        text_printf(t, "%zu %scost%s time", worse,
                    nothing      ? ""
                    : worse == 1 ? "change "
                                 : "changes ",
                    worse == 1 ? "s" : "");
    if (worse && r->before.deadlines)
        text_str(t, " or deadlines");
    if (nothing || worse)
        text_str(t, "; --all shows them\n");
}

static void put_not_tried(text *t, const gcast_whatif *r)
{
    if (r->not_tried)
        text_printf(t, "%zu changes not tried: %zu operations, limit %d; --all tries them\n", r->not_tried,
                    r->base.w->op_count, WHATIF_MANY_OPS);
}

/* The other GPU that a row is on; NULL: none. */
static const gcast_gpu *other_gpu(const gcast_whatif *r, const whatif_row *row)
{
    for (size_t i = 0; i < row->change_count; i++)
        for (size_t k = 0; row->changes[i].kind == CHANGE_GPU && k < r->base.gpu_count; k++)
            if (strcmp(r->base.gpu_names[k], row->changes[i].name) == 0)
                return r->base.gpus[k];
    return NULL;
}

/* Does `there` lack times that `here` has? They were not measured, count as 0, and look like time won. */
static bool lacks_times(const gcast_gpu *here, const gcast_gpu *there)
{
    return (here->launch_latency_ns && !there->launch_latency_ns) || (here->stream_gap_ns && !there->stream_gap_ns) ||
           (here->handover_ns && !there->handover_ns);
}

static bool is_shown(const gcast_whatif *r, const whatif_row *row, bool all)
{
    return row->state != WHATIF_REFUSED &&
           (all || r->with_given || row->state == WHATIF_HANGS || whatif_rows_brings(r, row));
}

static void put_lacking(text *t, const gcast_gpu *gpu, bool *any)
{
    text_str(t, *any ? ", " : "latencies and gaps count as 0, since nobody has measured them, on ");
    text_terminal(t, gpu->name);
    *any = true;
}

static void put_gpu_notes(text *t, const gcast_whatif *r, bool all)
{
    bool any = false, lacking = false, here_lacks = false;
    for (size_t i = 0; i < r->rows.count; i++) {
        const gcast_gpu *gpu = is_shown(r, &r->rows.at[i], all) ? other_gpu(r, &r->rows.at[i]) : NULL;
        any = any || gpu;
        here_lacks = here_lacks || (gpu && lacks_times(gpu, r->base.gpu));
        if (gpu && lacks_times(r->base.gpu, gpu))
            put_lacking(t, gpu, &lacking);
    }
    if (here_lacks)
        put_lacking(t, r->base.gpu, &lacking);
    if (lacking)
        text_str(t, ", which looks faster by that\n");
    if (any)
        text_str(t, "on another GPU blocks take as long as on this one, unless scale=PERCENT says otherwise\n");
}

static void put_rows(text *t, const gcast_whatif *r, bool all)
{
    grid g;
    size_t nothing = 0, worse = 0, shown = 0;
    grid_open(&g, r->before.deadlines ? columns : columns_without_deadlines);
    for (size_t i = 0; i < r->rows.count; i++) {
        const whatif_row *row = &r->rows.at[i];
        if (row->state == WHATIF_REFUSED)
            continue;
        if (is_shown(r, row, all)) {
            add_row(&g, r, i);
            shown++;
            continue;
        }
        bool costs = row->end_ns > r->before.end_ns || row->misses > r->before.misses;
        nothing += !costs;
        worse += costs;
    }
    text_char(t, '\n');
    if (shown)
        grid_text(&g, false, t);
    put_hidden(t, r, nothing, worse);
    put_not_tried(t, r);
    for (size_t i = 0; i < r->rows.count; i++)
        if (r->rows.at[i].state == WHATIF_REFUSED)
            put_refused(t, &r->rows.at[i]);
    put_gpu_notes(t, r, all);
    grid_close(&g);
}

/* `all`: also shows changes that bring nothing. `parts`: shows the critical path part by part. */
static void whatif_print(text *t, const gcast_whatif *r, bool all, bool parts)
{
    put_head(t, r);
    put_labels(t, r);
    if (parts && r->before.has_path)
        put_parts(t, r);
    put_rows(t, r, all);
}

/* The output as gridcast.whatif/1. */

static void put_json_labels(text *t, const whatif_row *row)
{
    text_str(t, ",\"labels\":{");
    for (int k = 0; k < WAIT_LABELS && row->has_path; k++)
        text_printf(t, "%s\"%s\":%" PRId64, k ? "," : "", wait_label_name((wait_label)k), row->by_label[k]);
    text_char(t, '}');
}

static void put_json_deadlines(text *t, const gcast_whatif *r, const whatif_row *row)
{
    if (r->before.deadlines)
        text_printf(t, ",\"deadlines\":%zu,\"missed\":%zu", row->deadlines, row->misses);
}

static void put_json_made(text *t, const change *c, void (*make)(const change *, text *))
{
    text made;
    size_t size;
    text_open(&made, NULL, NULL);
    make(c, &made);
    char *words = text_take(&made, &size);
    if (words)
        text_json(t, words);
    else
        text_no_memory(t);
    free(words);
}

static void put_json_changes(text *t, const whatif_row *row)
{
    text_str(t, "\"changes\":[");
    for (size_t i = 0; i < row->change_count; i++) {
        text_str(t, i ? ",{\"with\":" : "{\"with\":");
        put_json_made(t, &row->changes[i], change_write);
        text_str(t, ",\"text\":");
        put_json_made(t, &row->changes[i], change_say);
        if (change_condition(&row->changes[i])) {
            text_str(t, ",\"condition\":");
            text_json(t, change_condition(&row->changes[i]));
        }
        text_char(t, '}');
    }
    text_char(t, ']');
}

static void put_json_row(text *t, const gcast_whatif *r, size_t i)
{
    static const char *const states[] = {"done", "refused", "hangs"};
    const whatif_row *row = &r->rows.at[i];
    wait_label label;
    int64_t ns;
    text_printf(t, "%s\n{\"nr\":%zu,", i ? "," : "", i + 1);
    put_json_changes(t, row);
    text_printf(t, ",\"state\":\"%s\"", states[row->state]);
    if (row->state == WHATIF_REFUSED) {
        text_str(t, ",\"refusal\":");
        text_json(t, row->refusal);
    } else if (row->state == WHATIF_DONE) {
        text_printf(t, ",\"end_ns\":%" PRId64 ",\"gpu_ns\":%" PRId64 ",\"won_ns\":%" PRId64, row->end_ns, row->gpu_ns,
                    whatif_won_ns(&r->before, row));
        if (whatif_lost(&r->before, row))
            text_printf(t, ",\"lost_dependencies\":%zu", whatif_lost(&r->before, row));
        put_json_deadlines(t, r, row);
        put_json_labels(t, row);
        if (whatif_why(&r->before, row, &label, &ns))
            text_printf(t, ",\"why\":{\"label\":\"%s\",\"ns\":%" PRId64 "}", wait_label_name(label), ns);
    }
    text_char(t, '}');
}

static void put_json_path(text *t, const gcast_whatif *r)
{
    text_str(t, ",\n\"path\":[");
    for (size_t i = 0; i < r->path.parts.count; i++) {
        const path_part *p = &r->path.parts.at[i];
        text_str(t, i ? ",\n{\"op\":" : "\n{\"op\":");
        text_json(t, r->base.w->ops[p->op].label);
        text_printf(t, ",\"job\":%u,\"label\":\"%s\",\"rule\":\"%s\",\"from_ns\":%" PRId64 ",\"to_ns\":%" PRId64 "}",
                    p->job, wait_label_name(p->label), gcast_name(GCAST_NAMES_REASON, p->reason), p->from_ns, p->to_ns);
    }
    text_char(t, ']');
}

static void whatif_json(text *t, const gcast_whatif *r)
{
    text_str(t, "{\"schema\":\"gridcast.whatif/1\",\"workload\":");
    text_json(t, r->base.w->name);
    text_str(t, ",\"gpu\":");
    text_json(t, r->base.gpu->name);
    if (r->base.of) {
        text_str(t, ",\"of\":");
        text_json(t, r->base.of);
    }
    text_printf(t, ",\"end_ns\":%" PRId64 ",\"gpu_ns\":%" PRId64, r->before.end_ns, r->before.gpu_ns);
    if (r->not_tried)
        text_printf(t, ",\"not_tried\":%zu", r->not_tried);
    put_json_deadlines(t, r, &r->before);
    put_json_labels(t, &r->before);
    put_json_path(t, r);
    text_str(t, ",\n\"rows\":[");
    for (size_t i = 0; i < r->rows.count; i++)
        put_json_row(t, r, i);
    text_str(t, "]}\n");
}

gcast_status gcast_whatif_report(const gcast_whatif *x, gcast_format format, bool all, bool path, gcast_write_fn write,
                                 void *data, gcast_error *err)
{
    if (!x || !write)
        return argument_missing(err);
    if (format != GCAST_FORMAT_TABLE && format != GCAST_FORMAT_JSON)
        return gcast_error_set(err, GCAST_USAGE, NULL, "what changes bring cannot be written as %s",
                               gcast_name(GCAST_NAMES_FORMAT, format));
    text t;
    text_open(&t, write, data);
    if (format == GCAST_FORMAT_JSON)
        whatif_json(&t, x);
    else
        whatif_print(&t, x, all, path);
    return text_finish(&t, err);
}
