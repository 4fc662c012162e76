/* gridcast whatif: what changes to a workload would bring, each simulated in full. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/commands/whatif_rows.h"
#include "cli/output/output.h"
#include "cli/phrases.h"
#include "cli/say.h"
#include "cli/workload_args.h"
#include "gridcast/names.h"
#include "report/grid.h"

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

static void put_head(text *t, const whatif_rows *r)
{
    text_terminal(t, *r->given.w->name ? r->given.w->name : r->given.w->source);
    text_str(t, " on ");
    text_terminal(t, r->given.gpu->name);
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

static void put_labels(text *t, const whatif_rows *r)
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

static void put_parts(text *t, const whatif_rows *r)
{
    text_printf(t, "\n%*s %*s  %-15s operation: why\n", US_WIDTH, "from us", US_WIDTH, "for us", "what");
    for (size_t i = 0; i < r->path.parts.count; i++) {
        const path_part *p = &r->path.parts.at[i];
        put_us(t, p->from_ns, US_WIDTH);
        text_char(t, ' ');
        put_us(t, p->to_ns - p->from_ns, US_WIDTH);
        text_printf(t, "  %-15s ", wait_label_title(p->label));
        put_op(t, r->given.w, p);
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

static void cell_change(grid *g, int column, const whatif_rows *r, const whatif_row *row)
{
    text t;
    size_t lost = whatif_lost(&r->before, row);
    text_open(&t, NULL, NULL);
    for (size_t i = 0; i < row->change_count; i++) {
        text_str(&t, i ? " and " : "");
        change_write(&row->changes[i], &t);
    }
    text_str(&t, ": ");
    for (size_t i = 0; i < row->change_count; i++) {
        text_str(&t, i ? "; and " : "");
        change_say(&row->changes[i], &t);
    }
    for (size_t i = 0; i < row->change_count; i++)
        if (change_condition(&row->changes[i]))
            text_printf(&t, " (%s)", change_condition(&row->changes[i]));
    if (lost)
        text_printf(&t, " (%zu dependenc%s lost: calls come in another order)", lost, lost == 1 ? "y is" : "ies are");
    put_cell(g, column, &t);
}

static void cell_why(grid *g, int column, const whatif_rows *r, const whatif_row *row)
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
static void cell_share(grid *g, int column, const whatif_rows *r, int64_t won)
{
    uint64_t end = (uint64_t)r->before.end_ns, part = won < 0 ? -(uint64_t)won : (uint64_t)won;
    uint64_t permille = end ? (uint64_t)(((unsigned __int128)part * 1000 + end / 2) / end) : 0;
    grid_print(g, column, "%s%" PRIu64 ".%u", won < 0 && permille ? "-" : "", permille / 10, (unsigned)(permille % 10));
}

static void add_row(grid *g, const whatif_rows *r, size_t i)
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
    for (size_t i = 0; i < row->change_count; i++) {
        text_str(&made, i ? " and " : "");
        change_write(&row->changes[i], &made);
    }
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
static void put_hidden(text *t, const whatif_rows *r, size_t nothing, size_t worse)
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

static void put_not_tried(text *t, const whatif_rows *r)
{
    if (r->not_tried)
        text_printf(t, "%zu changes not tried: %zu operations, limit %d; --all tries them\n", r->not_tried,
                    r->given.w->op_count, WHATIF_MANY_OPS);
}

/* The other GPU that a row is on; NULL: none. */
static const gcast_gpu *other_gpu(const whatif_rows *r, const whatif_row *row)
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

static bool is_shown(const whatif_rows *r, const whatif_row *row, bool all)
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

static void put_gpu_notes(text *t, const whatif_rows *r, bool all)
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

static void put_rows(text *t, const whatif_rows *r, bool all)
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
static void whatif_print(text *t, const whatif_rows *r, bool all, bool parts)
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

static void put_json_deadlines(text *t, const whatif_rows *r, const whatif_row *row)
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

static void put_json_row(text *t, const whatif_rows *r, size_t i)
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

static void put_json_path(text *t, const whatif_rows *r)
{
    text_str(t, ",\n\"path\":[");
    for (size_t i = 0; i < r->path.parts.count; i++) {
        const path_part *p = &r->path.parts.at[i];
        text_str(t, i ? ",\n{\"op\":" : "\n{\"op\":");
        text_json(t, r->given.w->ops[p->op].label);
        text_printf(t, ",\"job\":%u,\"label\":\"%s\",\"rule\":\"%s\",\"from_ns\":%" PRId64 ",\"to_ns\":%" PRId64 "}",
                    p->job, wait_label_name(p->label), gcast_name(GCAST_NAMES_REASON, p->reason), p->from_ns, p->to_ns);
    }
    text_char(t, ']');
}

static void whatif_json(text *t, const whatif_rows *r)
{
    text_str(t, "{\"schema\":\"gridcast.whatif/1\",\"workload\":");
    text_json(t, r->given.w->name);
    text_str(t, ",\"gpu\":");
    text_json(t, r->given.gpu->name);
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

/* Writes the workload of a row with its GPU, so that it can be simulated by itself. */
static gcast_status write_row(const args *a, const whatif_rows *r, size_t row)
{
    variant v;
    gcast_error err;
    char *json = NULL;
    size_t size;
    gcast_status status = whatif_make(&r->base, r->rows.at[row].changes, r->rows.at[row].change_count, &v, &err);
    if (status == GCAST_OK) {
        gcast_workload_set_gpu(v.w, v.gpu);
        v.gpu = NULL; /* it belongs to the workload now */
        gcast_workload_set_partition(v.w, 0);
        status = gcast_workload_write_native(v.w, &json, &size, &err);
    }
    whatif_variant_free(&v);
    if (status != GCAST_OK)
        return say_error(&err);
    status = output_bytes(args_value(a, "output"), args_has(a, "force"), json, size);
    free(json);
    return status;
}

static gcast_status check_options(const args *a)
{
    const char *file = args_value(a, "output");
    if (args_has(a, "row") && args_has(a, "with"))
        return say(GCAST_USAGE, "--row is a row of the table; with --with there is one");
    if (args_has(a, "row") != args_has(a, "output") && !args_has(a, "with"))
        return say(GCAST_USAGE, "--row N and -o FILE go together: the workload of row N");
    if (file && (args_has(a, "json") || args_has(a, "path")))
        return say(GCAST_USAGE, "-o writes a workload, and prints nothing: --%s has no use",
                   args_has(a, "json") ? "json" : "path");
    if (args_has(a, "of") && args_has(a, "deadlines"))
        return say(GCAST_USAGE, "give --of or --deadlines");
    gcast_status status = output_check_single(a);
    if (status == GCAST_OK && file)
        status = output_check_workload("-o", "whatif", file);
    return status == GCAST_OK ? outputs_check(a, NULL) : status;
}

static gcast_status write_output(const args *a, const whatif_rows *r)
{
    int64_t row = 1;
    gcast_status status = args_int(a, "row", 1, (int64_t)r->rows.count, &row);
    if (status != GCAST_OK)
        return status;
    if (r->rows.at[row - 1].state == WHATIF_REFUSED)
        return say(GCAST_INPUT, "row %lld cannot be: %s", (long long)row, r->rows.at[row - 1].refusal);
    return write_row(a, r, (size_t)row - 1);
}

static gcast_status print_rows(const args *a, const whatif_rows *r)
{
    output out;
    gcast_status status = output_open(&out, "-", false);
    if (status != GCAST_OK)
        return status;
    if (args_has(a, "json"))
        whatif_json(&out.words, r);
    else
        whatif_print(&out.words, r, args_has(a, "all"), args_has(a, "path"));
    return output_finish(&out, GCAST_OK, NULL);
}

static gcast_status run_command(const args *a)
{
    whatif_rows r;
    gcast_status status = check_options(a);
    if (status != GCAST_OK)
        return status;
    status = whatif_rows_make(a, &r);
    if (status == GCAST_OK && r.with_given && r.rows.at[0].state == WHATIF_REFUSED)
        status = say(GCAST_INPUT, "%s: --with cannot be: %s", r.given.w->source, r.rows.at[0].refusal);
    if (status == GCAST_OK && args_has(a, "output"))
        status = write_output(a, &r);
    else if (status == GCAST_OK)
        status = print_rows(a, &r);
    whatif_rows_free(&r);
    return status;
}

static const option_spec options[] = {
    {"with", 0, "KIND=VALUE", "only this change, such as connections=8; several: together"},
    {"of", 0, "LABEL", "the end of LABEL or LABEL#JOB counts, not the last end"},
    {"deadlines", 0, NULL, "missed deadlines count"},
    {"other-gpu", 0, "GPU", "try this GPU; may repeat; none: no other"},
    {"all", 0, NULL, "also changes that bring nothing or cost time"},
    {"path", 0, NULL, "the way back from the end, part by part"},
    {"row", 0, "N", "with -o: the workload of row N"},
    {"output", 'o', "FILE", "write that workload, or that of --with; - is standard output"},
    {"force", 'f', NULL, "overwrite FILE"},
    {"json", 0, NULL, "print gridcast.whatif/1"},
    {"threads", 0, "N", "try N changes at a time (default: all cores)"},
    WORKLOAD_OPTIONS,
    SIMULATE_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const command cmd_whatif = {
    .name = "whatif",
    .operands = "WORKLOAD",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "what other streams, connections, SMs or graphs would bring",
    .options = options,
    .examples = {"gridcast whatif examples/09-carveout.json", "gridcast whatif examples/thesis.json --with merge=all"},
    .run = run_command,
};
