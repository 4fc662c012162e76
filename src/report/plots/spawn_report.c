/* gcast_spawn_report: policies side by side as tables, JSON or a picture. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/spawn/spawn_compare.h"
#include "base/api.h"
#include "base/integers.h"
#include "base/number.h"
#include "base/text.h"
#include "gridcast/names.h"
#include "report/canvas/font.h"
#include "report/canvas/palette.h"
#include "report/canvas/picture_frame.h"
#include "report/canvas/value_axis.h"
#include "report/format_names.h"
#include "report/formats/launch_fields.h"
#include "report/grid.h"
#include "report/schemas.h"

#define SPAWN_NAME_SIZE 32

/* Comparisons of the same policies. */
typedef struct spawn_set {
    const gcast_spawn_comparison *const *at; /* from top to bottom */
    size_t count;                            /* at least 1 */
    bool color;                              /* of tables */
} spawn_set;

/* "spawn", "threshold 64". */
static const char *spawn_row_name(const gcast_spawn_row *row, char out[SPAWN_NAME_SIZE])
{
    const char *name = gcast_spawn_contender_name(row->contender);
    if (row->contender == GCAST_CONTENDER_THRESHOLD)
        snprintf(out, SPAWN_NAME_SIZE, "%s %u", name, row->threshold);
    else
        snprintf(out, SPAWN_NAME_SIZE, "%s", name);
    return out;
}

/* The fraction of the items that children did. */
static double spawn_offloaded(const gcast_spawn_row *row)
{
    return row->stats.items ? (double)row->stats.offloaded / (double)row->stats.items : 0;
}

/* The mean per child of a sum over children; 0 without children. */
static double spawn_mean(const gcast_spawn_row *row, double sum)
{
    return row->stats.children ? sum / (double)row->stats.children : 0;
}

/* The geometric mean of the speedups of a policy. */
static double spawn_mean_speedup(const spawn_set *s, size_t policy)
{
    double sum = 0;
    for (size_t i = 0; i < s->count; i++)
        sum += log(s->at[i]->rows[policy].speedup);
    return exp(sum / (double)s->count);
}

/* spawn_table writes the tables. */

#define MAX_DECIMALS 3
#define US_PER_NS 0.001

/* A cell with a fraction. */
static void put_number(grid *g, int column, const char *format, double value)
{
    char cell[48];
    if (number_print(cell, sizeof cell, format, value) < 0)
        g->failed = true;
    else
        grid_cell(g, column, cell);
}

static void put_count(grid *g, int column, uint64_t count)
{
    grid_print(g, column, "%llu", (unsigned long long)count);
}

static time_format format_of(const spawn_set *s, bool only_flat)
{
    int64_t longest = 0;
    for (size_t i = 0; i < s->count; i++) {
        longest = max_i64(longest, s->at[i]->flat_ns);
        for (size_t k = 0; k < s->at[i]->row_count && !only_flat; k++)
            longest = max_i64(longest, s->at[i]->rows[k].end_ns);
    }
    time_format f = time_format_for(longest, MAX_DECIMALS);
    for (size_t i = 0; i < s->count; i++) {
        time_format_include(&f, s->at[i]->flat_ns);
        for (size_t k = 0; k < s->at[i]->row_count && !only_flat; k++)
            time_format_include(&f, s->at[i]->rows[k].end_ns);
    }
    return f;
}

static void put_heading(const gcast_spawn_comparison *c, text *out)
{
    text_str(out, "GPU ");
    text_terminal(out, c->gpu);
    text_str(out, ": ");
    text_terminal(out, c->gpu_title);
    text_char(out, '\n');
}

/* How many kernels, launchers and items there are. */
static void put_launchers(const gcast_spawn_comparison *c, text *out)
{
    text_terminal(out, c->name);
    text_printf(out, ": %u kernel%s, %llu launchers that may launch for %llu items, %u threshold%s\n", c->kernels,
                c->kernels == 1 ? "" : "s", (unsigned long long)c->launchers, (unsigned long long)c->items,
                c->thresholds, c->thresholds == 1 ? "" : "s");
}

static void put_ends(const spawn_set *s, text *out)
{
    char end[32];
    const gcast_spawn_comparison *c = s->at[0];
    time_format f = format_of(s, false);
    const grid_column columns[] = {{"policy", false},   {time_format_title(end, sizeof end, "end", f), true},
                                   {"speedup", true},   {"children", true},
                                   {"blocks", true},    {"offloaded", true},
                                   {"occupancy", true}, {"overhead", true},
                                   {"stream", true},    {"pool", true},
                                   {"queue", true},     {"room", true},
                                   {NULL, false}};
    grid g;
    grid_open(&g, columns);
    for (size_t i = 0; i < c->row_count; i++) {
        const gcast_spawn_row *r = &c->rows[i];
        const double waits[] = {r->stats.overhead_ns, r->stats.stream_wait_ns, r->stats.pool_wait_ns,
                                r->stats.queue_wait_ns, r->stats.room_wait_ns};
        char name[SPAWN_NAME_SIZE];
        grid_add(&g, GRID_PLAIN);
        grid_cell(&g, 0, spawn_row_name(r, name));
        time_format_cell(&g, 1, r->end_ns, true, f);
        put_number(&g, 2, "%.3f", r->speedup);
        put_count(&g, 3, r->stats.children);
        put_count(&g, 4, r->stats.child_blocks);
        put_number(&g, 5, "%.1f %%", 100 * spawn_offloaded(r));
        put_number(&g, 6, "%.1f %%", 100 * r->occupancy);
        for (int k = 0; k < 5; k++) {
            if (r->stats.children)
                put_number(&g, 7 + k, "%.1f", spawn_mean(r, waits[k]) * US_PER_NS);
            else
                grid_cell(&g, 7 + k, "-");
        }
    }
    grid_text(&g, s->color, out);
    grid_close(&g);
}

/* What launchers did, and how many children there were at a time. */
static void put_counts(const spawn_set *s, text *out)
{
    static const grid_column columns[] = {{"policy", false},   {"threshold", true},   {"kept", true},
                                          {"refused", true},   {"early", true},       {"max pool", true},
                                          {"max alive", true}, {"simulations", true}, {NULL, false}};
    const gcast_spawn_comparison *c = s->at[0];
    grid g;
    grid_open(&g, columns);
    for (size_t i = 0; i < c->row_count; i++) {
        const gcast_spawn_row *r = &c->rows[i];
        char name[SPAWN_NAME_SIZE];
        grid_add(&g, GRID_PLAIN);
        grid_cell(&g, 0, spawn_row_name(r, name));
        if (r->contender == GCAST_CONTENDER_OFFLINE && r->threshold == GCAST_NO_THRESHOLD)
            grid_cell(&g, 1, "none");
        else if (r->contender == GCAST_CONTENDER_OFFLINE || r->contender == GCAST_CONTENDER_THRESHOLD)
            put_count(&g, 1, r->threshold);
        else
            grid_cell(&g, 1, "-");
        put_count(&g, 2, r->stats.kept);
        put_count(&g, 3, r->stats.refused);
        put_count(&g, 4, r->stats.early);
        put_count(&g, 5, r->stats.max_pool);
        put_count(&g, 6, r->stats.max_live);
        put_count(&g, 7, r->simulations);
    }
    grid_text(&g, s->color, out);
    grid_close(&g);
}

/* What a table of several comparisons shows of each policy. */
typedef enum { SPEEDUP, CHILDREN, OCCUPANCY } shown_value;

static void put_value(grid *g, int column, const gcast_spawn_row *r, shown_value shown)
{
    if (shown == SPEEDUP)
        put_number(g, column, "%.3f", r->speedup);
    else if (shown == CHILDREN)
        put_count(g, column, r->stats.children);
    else
        put_number(g, column, "%.1f %%", 100 * r->occupancy);
}

/* The geometric mean of speedups, the arithmetic mean of other values. */
static void put_mean(grid *g, int column, const spawn_set *s, size_t policy, shown_value shown)
{
    double children = 0, occupancy = 0, count = (double)s->count;
    for (size_t i = 0; i < s->count; i++) {
        children += (double)s->at[i]->rows[policy].stats.children / count;
        occupancy += s->at[i]->rows[policy].occupancy / count;
    }
    if (shown == SPEEDUP)
        put_number(g, column, "%.3f", spawn_mean_speedup(s, policy));
    else if (shown == CHILDREN)
        put_number(g, column, "%.0f", children);
    else
        put_number(g, column, "%.1f %%", 100 * occupancy);
}

/* A line per comparison, a column per policy. Flat has a column only for the occupancy; for speedups, the second column
 * has its end. */
static void put_matrix(const spawn_set *s, shown_value shown, text *out)
{
    const gcast_spawn_comparison *first = s->at[0];
    char titles[GRID_COLUMNS][SPAWN_NAME_SIZE], flat[32];
    grid_column columns[GRID_COLUMNS + 1] = {{"workload", false}};
    size_t policy[GRID_COLUMNS]; /* by column */
    int count = 1;
    time_format f = format_of(s, true);
    if (shown == SPEEDUP)
        columns[count++] = (grid_column){time_format_title(flat, sizeof flat, "flat", f), true};
    for (size_t k = 0; k < first->row_count && count < GRID_COLUMNS; k++) {
        if (first->rows[k].contender == GCAST_CONTENDER_FLAT && shown != OCCUPANCY)
            continue;
        policy[count] = k;
        columns[count] = (grid_column){spawn_row_name(&first->rows[k], titles[count]), true};
        count++;
    }
    columns[count].title = NULL;
    grid g;
    grid_open(&g, columns);
    for (size_t i = 0; i < s->count; i++) {
        grid_add(&g, GRID_PLAIN);
        grid_label(&g, 0, s->at[i]->name);
        if (shown == SPEEDUP)
            time_format_cell(&g, 1, s->at[i]->flat_ns, true, f);
        for (int k = shown == SPEEDUP ? 2 : 1; k < count; k++)
            put_value(&g, k, &s->at[i]->rows[policy[k]], shown);
    }
    grid_add(&g, GRID_PLAIN);
    grid_cell(&g, 0, shown == SPEEDUP ? "geometric mean" : "mean");
    for (int k = shown == SPEEDUP ? 2 : 1; k < count; k++)
        put_mean(&g, k, s, policy[k], shown);
    grid_text(&g, s->color, out);
    grid_close(&g);
}

/* Of one comparison: a line per policy. Of several: a line each, with means. */
static void spawn_table(const spawn_set *s, text *out)
{
    put_heading(s->at[0], out);
    if (s->count == 1) {
        put_launchers(s->at[0], out);
        text_str(out, "\nends, and what a child waits for on average (us)\n");
        put_ends(s, out);
        text_str(out, "\nlaunches\n");
        put_counts(s, out);
        return;
    }
    text_str(out, "\nspeedup over flat\n");
    put_matrix(s, SPEEDUP, out);
    text_str(out, "\nchild kernels\n");
    put_matrix(s, CHILDREN, out);
    text_str(out, "\noccupancy\n");
    put_matrix(s, OCCUPANCY, out);
}

/* spawn_json writes gridcast.spawn/1 (docs/formats.md). */

#define X(id, name, text) name,
static const char *const names_idle[] = {GCAST_SPAWN_IDLE_TABLE(X)};
static const char *const names_average[] = {GCAST_SPAWN_AVERAGE_TABLE(X)};
static const char *const names_counters[] = {GCAST_SPAWN_COUNTER_TABLE(X)};
static const char *const names_start[] = {GCAST_SPAWN_START_TABLE(X)};
#undef X

#define POLICY_FIELDS(FIELD, LINE)                                                                                     \
    FIELD(text, policy, true, gcast_spawn_contender_name(r->contender), "its name")                                    \
    FIELD(int, threshold, true, has_threshold ? r->threshold : JSON_UNKNOWN, "items from which on it launches")        \
    FIELD(count, simulations, true, r->simulations, "simulations that chose the threshold")                            \
    FIELD(ns, end_ns, true, r->end_ns, "last end")                                                                     \
    FIELD(share, speedup, true, r->speedup, "flat_ns / end_ns")                                                        \
    FIELD(share, occupancy, true, r->occupancy, "resident warps, as a share of those that fit")                        \
    LINE(count, children, true, s->children, "child kernels")                                                          \
    LAUNCH_COUNT_FIELDS(FIELD, LINE)                                                                                   \
    LINE(mean, overhead_ns, true, spawn_mean(r, s->overhead_ns), "per child: launch overhead")                         \
    FIELD(mean, stream_wait_ns, true, spawn_mean(r, s->stream_wait_ns), "then waiting for the stream")                 \
    FIELD(mean, pool_wait_ns, true, spawn_mean(r, s->pool_wait_ns), "then for the pool of pending launches")           \
    FIELD(mean, queue_wait_ns, true, spawn_mean(r, s->queue_wait_ns), "then in the hardware queue")                    \
    FIELD(mean, room_wait_ns, true, spawn_mean(r, s->room_wait_ns), "then for room on the SMs")

static void put_policies(json_out *j, const gcast_spawn_comparison *c)
{
    for (size_t i = 0; i < c->row_count; i++) {
        const gcast_spawn_row *r = &c->rows[i];
        const gcast_launch_stats *s = &r->stats;
        bool has_threshold = (r->contender == GCAST_CONTENDER_OFFLINE || r->contender == GCAST_CONTENDER_THRESHOLD) &&
                             r->threshold != GCAST_NO_THRESHOLD;
        PUT_ELEMENT(POLICY_FIELDS);
    }
}

#define COMPARISON_FIELDS(FIELD, LINE)                                                                                 \
    FIELD(text, name, true, c->name, "application or workload")                                                        \
    FIELD(ns, flat_ns, true, c->flat_ns, "last end without child launches")                                            \
    FIELD(count, kernels, true, c->kernels, "kernels that may launch")                                                 \
    FIELD(count, launchers, true, c->launchers, "launchers with items for a launch")                                   \
    FIELD(count, items, true, c->items, "their items")                                                                 \
    FIELD(count, thresholds, true, c->thresholds, "thresholds that there are to try")                                  \
    LINE(list, policies, true, put_policies(j, c), "policies")

static void put_comparisons(json_out *j, const spawn_set *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const gcast_spawn_comparison *c = s->at[i];
        PUT_ELEMENT(COMPARISON_FIELDS);
    }
}

#define CONTROLLER_FIELDS(FIELD, LINE)                                                                                 \
    FIELD(ns, window_ns, true, o->window_ns, "window of averages")                                                     \
    FIELD(count, queue_limit, true, o->queue_limit, "most child blocks at a time")                                     \
    FIELD(text, idle, true, names_idle[o->idle], "peak, last, one or launch: when no child block runs")                \
    FIELD(text, average, true, names_average[o->average], "all, moving or window: of block times")                     \
    FIELD(text, counters, true, names_counters[o->counters], "wide, saturate or wrap: of 16 bits")                     \
    FIELD(text, start, true, names_start[o->start], "known or first: launches until times are known")                  \
    FIELD(bool, fractions, true, o->fractions, "counts fractions of running child blocks")

FIELD_WRITER(put_controller, CONTROLLER_FIELDS, const gcast_spawn_options *o)

static void put_means(json_out *j, const spawn_set *s)
{
    char name[SPAWN_NAME_SIZE];
    for (size_t k = 0; k < s->at[0]->row_count; k++)
        json_put_share(j, spawn_row_name(&s->at[0]->rows[k], name), spawn_mean_speedup(s, k));
}

#define SPAWN_FIELDS(FIELD, LINE)                                                                                      \
    FIELD(text, schema, true, "gridcast.spawn/1", "the format")                                                        \
    FIELD(text, gpu, true, s->at[0]->gpu, "the GPU")                                                                   \
    LINE(record, spawn, true, put_controller(j, &s->at[0]->spawn), "choices of the controller")                        \
    LINE(list, comparisons, true, put_comparisons(j, s), "by application")                                             \
    LINE(record, geometric_means, s->count > 1, put_means(j, s), "of speedups, by policy")

const record spawn_schema[] = {RECORD("", SPAWN_FIELDS),
                               RECORD("spawn", CONTROLLER_FIELDS),
                               RECORD("comparisons", COMPARISON_FIELDS),
                               RECORD("comparisons.policies", POLICY_FIELDS),
                               {NULL, NULL}};

static void spawn_json(const spawn_set *s, text *out)
{
    json_out *j = &(json_out){.out = out, .indent = 1};
    PUT_DOCUMENT(SPAWN_FIELDS);
}

/* spawn_bars draws speedups over flat: a group per comparison, a bar per policy. */

#define LEFT PX(52)
#define TOP PX(104)
#define PLOT_HEIGHT PX(260)
#define BOTTOM (TOP + PLOT_HEIGHT)
#define HEIGHT (BOTTOM + PX(52))
#define BAR PX(13)
#define SINGLE_BAR PX(48) /* where there is one group */
#define GROUP_GAP PX(18)
#define MIN_WIDTH PX(520)
#define MIN_GROUP PX(64)
#define MAX_LINEAR 5.0   /* beyond, the axis is logarithmic */
#define MAX_SHOWN 1024.0 /* speedups beyond are cut off, and so are those below 1 / MAX_SHOWN */
#define FLAT_LINE 0xcc0000u
#define NAME_CHARS 40

typedef struct bars {
    const spawn_set *s; /* what is drawn */
    canvas *c;          /* what it is drawn on */
    value_axis axis;    /* of speedups */
    int32_t bar;        /* width of a bar */
    int32_t group;      /* width of a group */
    int32_t right;      /* end of the lower axis */
    size_t shown;       /* policies that have bars: all but flat */
    bool is_split;      /* names are in two lines, of which the second begins after a space or a hyphen */
} bars;

static bool has_bar(const bars *b, size_t policy)
{
    return b->s->at[0]->rows[policy].contender != GCAST_CONTENDER_FLAT;
}

static uint32_t colour_of(gcast_spawn_contender contender, size_t number)
{
    static const size_t colours[GCAST_CONTENDERS] = {[GCAST_CONTENDER_ALWAYS] = 1,
                                                     [GCAST_CONTENDER_OFFLINE] = 2,
                                                     [GCAST_CONTENDER_SPAWN] = 0,
                                                     [GCAST_CONTENDER_PREDICT] = 3};
    return palette_stream(contender == GCAST_CONTENDER_THRESHOLD ? 4 + number : colours[contender]);
}

/* A bar with its value at its end. On a logarithmic axis it begins at 1. */
static void draw_bar(const bars *b, int32_t x, double speedup, uint32_t rgb, const char *name, const char *policy)
{
    char value[32], tooltip[LABEL_SIZE + 96], label[LABEL_SIZE];
    int32_t y = value_axis_y(&b->axis, speedup);
    if (number_print(value, sizeof value, "%.2f", speedup) < 0) {
        canvas_no_memory(b->c);
        return;
    }
    snprintf(tooltip, sizeof tooltip, "%s, %s: %s times as fast as flat", label_cut(name, NAME_CHARS, label), policy,
             value);
    int32_t base = b->axis.min > 0 ? value_axis_y(&b->axis, 1) : BOTTOM;
    bool is_down = y > base;
    canvas_rect(b->c, x, is_down ? base : y, b->bar - PX(1), is_down ? y - base : base - y, rgb, CANVAS_NONE, tooltip);
    canvas_text_up(b->c, x + b->bar / 2 + PX(3), is_down ? y + PX(3) : y - PX(3), value, PX(9),
                   is_down ? CANVAS_RIGHT : CANVAS_LEFT, INK);
}

static void draw_name(const bars *b, int32_t middle, const char *name)
{
    char shown[LABEL_SIZE], fitting[LABEL_SIZE];
    label_cut(name, NAME_CHARS, shown);
    char *second = b->is_split ? strpbrk(shown, " -") : NULL;
    if (second)
        *second++ = '\0';
    if (font_fit(shown, PX(11), b->group, fitting))
        canvas_text(b->c, middle, BOTTOM + PX(17), fitting, PX(11), CANVAS_CENTRE, INK);
    if (second && font_fit(second, PX(11), b->group, fitting))
        canvas_text(b->c, middle, BOTTOM + PX(32), fitting, PX(11), CANVAS_CENTRE, INK);
}

/* Group `i`; the one after the last has the means. */
static void draw_group(const bars *b, size_t i)
{
    const gcast_spawn_comparison *first = b->s->at[0];
    bool is_mean = i == b->s->count;
    const char *name = is_mean ? "geometric mean" : b->s->at[i]->name;
    int32_t start = LEFT + (int32_t)i * b->group, x = start + (b->group - (int32_t)b->shown * b->bar) / 2;
    size_t threshold = 0;
    for (size_t k = 0; k < first->row_count; k++) {
        char policy[SPAWN_NAME_SIZE];
        if (!has_bar(b, k))
            continue;
        double speedup = is_mean ? spawn_mean_speedup(b->s, k) : b->s->at[i]->rows[k].speedup;
        draw_bar(b, x, speedup, colour_of(first->rows[k].contender, threshold), name,
                 spawn_row_name(&first->rows[k], policy));
        threshold += first->rows[k].contender == GCAST_CONTENDER_THRESHOLD;
        x += b->bar;
    }
    draw_name(b, start + b->group / 2, name);
    if (is_mean)
        canvas_line(b->c, start, TOP, start, BOTTOM, 0xaaaaaau, PX(1), false);
}

/* Draws the legend where there is a canvas. Returns the x at which it ends. */
static int32_t draw_legend(const bars *b)
{
    const gcast_spawn_comparison *first = b->s->at[0];
    int32_t x = LEFT, y = PX(64);
    size_t threshold = 0;
    for (size_t k = 0; k < first->row_count; k++) {
        char policy[SPAWN_NAME_SIZE];
        if (!has_bar(b, k))
            continue;
        spawn_row_name(&first->rows[k], policy);
        x = frame_key(b->c, x, y, colour_of(first->rows[k].contender, threshold), policy, PX(12), PX(14));
        threshold += first->rows[k].contender == GCAST_CONTENDER_THRESHOLD;
    }
    if (b->c) {
        canvas_line(b->c, x, y - PX(4), x + PX(18), y - PX(4), FLAT_LINE, PX(1), false);
        canvas_text(b->c, x + PX(24), y, "flat", PX(12), CANVAS_LEFT, INK);
    }
    return x + PX(24) + font_width("flat", PX(12));
}

static void draw_heading(const bars *b)
{
    const gcast_spawn_comparison *first = b->s->at[0];
    char name[LABEL_SIZE], title[LABEL_SIZE], line[2 * LABEL_SIZE + 8];
    snprintf(line, sizeof line, "%s: %s", label_cut(first->gpu, LABEL_CHARS / 2, name),
             label_cut(first->gpu_title, LABEL_CHARS, title));
    frame_heading(b->c, LEFT, "Speedup over flat: who launches child kernels?", line);
}

static void set_axes(bars *b)
{
    const spawn_set *s = b->s;
    double highest = 1, lowest = 1;
    for (size_t k = 0; k < s->at[0]->row_count; k++) {
        b->shown += has_bar(b, k);
        for (size_t i = 0; i < s->count && has_bar(b, k); i++) {
            double speedup = s->at[i]->rows[k].speedup;
            highest = speedup > highest ? speedup : highest;
            lowest = speedup < lowest ? speedup : lowest;
            b->is_split = b->is_split || (s->count > 1 && font_width(s->at[i]->name, PX(11)) > MIN_GROUP);
        }
    }
    if (highest > MAX_LINEAR)
        b->axis = value_axis_logarithmic(lowest < 1 / MAX_SHOWN ? 1 / MAX_SHOWN
                                         : lowest < 1           ? lowest / 2
                                                                : 1,
                                         highest < MAX_SHOWN ? highest : MAX_SHOWN, TOP, BOTTOM);
    else
        b->axis = value_axis_for(highest, 0.1, 8, TOP, BOTTOM);
    b->bar = s->count > 1 ? BAR : SINGLE_BAR;
    b->group = (int32_t)max_i64((int64_t)b->shown * b->bar + GROUP_GAP, MIN_GROUP);
    if (s->count == 1)
        b->group = (int32_t)max_i64(b->group, MIN_WIDTH - LEFT - PX(20));
    b->right = LEFT + (int32_t)(s->count + (s->count > 1)) * b->group;
}

/* As SVG, PNG or PDF. */
static gcast_status spawn_bars(const spawn_set *s, gcast_format format, gcast_write_fn write, void *data,
                               gcast_error *err)
{
    bars b = {.s = s};
    set_axes(&b);
    int32_t right = (int32_t)max_i64(b.right, draw_legend(&b));
    b.c = canvas_create((int32_t)max_i64(right + PX(20), MIN_WIDTH), HEIGHT, "Speedup over flat");
    if (!b.c)
        return gcast_error_set_memory(err);
    draw_heading(&b);
    draw_legend(&b);
    value_axis_draw(b.c, &b.axis, LEFT, b.right);
    for (size_t i = 0; i < s->count + (s->count > 1); i++)
        draw_group(&b, i);
    int32_t y = value_axis_y(&b.axis, 1);
    canvas_line(b.c, LEFT, y, b.right, y, FLAT_LINE, PX(1), false);
    canvas_line(b.c, LEFT, BOTTOM, b.right, BOTTOM, INK, PX(1), false);
    canvas_text_up(b.c, PX(14), (TOP + BOTTOM) / 2,
                   b.axis.min > 0 ? "speedup over flat (logarithmic)" : "speedup over flat", PX(12), CANVAS_CENTRE,
                   INK);
    return canvas_end(b.c, format, write, data, err);
}

/* Do all comparisons have the same policies, at least one? */
static bool are_alike(const spawn_set *s)
{
    const gcast_spawn_comparison *first = s->at[0];
    for (size_t i = 1; i < s->count; i++) {
        if (s->at[i]->row_count != first->row_count)
            return false;
        for (size_t k = 0; k < first->row_count; k++)
            if (s->at[i]->rows[k].contender != first->rows[k].contender)
                return false;
    }
    return first->row_count > 0;
}

gcast_status gcast_spawn_report(const gcast_spawn_comparison *const *comparisons, size_t count, gcast_format format,
                                bool color, gcast_write_fn write, void *data, gcast_error *err)
{
    if (!comparisons || !write)
        return argument_missing(err);
    spawn_set s = {.at = comparisons, .count = count, .color = color};
    if (!count || !are_alike(&s))
        return gcast_error_set(err, GCAST_USAGE, NULL, "only comparisons of the same policies go together");
    if (canvas_writes(format))
        return spawn_bars(&s, format, write, data, err);
    if (format != GCAST_FORMAT_TABLE && format != GCAST_FORMAT_JSON)
        return format_refused("a comparison of policies", format, err);
    text t;
    text_open(&t, write, data);
    if (format == GCAST_FORMAT_TABLE)
        spawn_table(&s, &t);
    else
        spawn_json(&s, &t);
    return text_finish(&t, err);
}
