#include "report/spawn/spawn_table.h"

#include "base/minmax.h"
#include "base/text/number.h"
#include "report/tables/time_format.h"

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

/* Who had what to launch. */
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

/* What else happened. */
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

/* Of speedups the geometric mean, of the others the arithmetic one. */
static void put_mean(grid *g, int column, const spawn_set *s, size_t choice, shown_value shown)
{
    double children = 0, occupancy = 0, count = (double)s->count;
    for (size_t i = 0; i < s->count; i++) {
        children += (double)s->at[i]->rows[choice].stats.children / count;
        occupancy += s->at[i]->rows[choice].occupancy / count;
    }
    if (shown == SPEEDUP)
        put_number(g, column, "%.3f", spawn_mean_speedup(s, choice));
    else if (shown == CHILDREN)
        put_number(g, column, "%.0f", children);
    else
        put_number(g, column, "%.1f %%", 100 * occupancy);
}

/* A line per comparison, a column per policy but flat, of which the second column has the end; with the occupancy it
 * has a column as well. */
static void put_matrix(const spawn_set *s, shown_value shown, text *out)
{
    const gcast_spawn_comparison *first = s->at[0];
    char titles[GRID_COLUMNS][SPAWN_NAME_SIZE], flat[32];
    grid_column columns[GRID_COLUMNS + 1] = {{"workload", false}};
    size_t choice[GRID_COLUMNS];
    int count = 1;
    time_format f = format_of(s, true);
    if (shown == SPEEDUP)
        columns[count++] = (grid_column){time_format_title(flat, sizeof flat, "flat", f), true};
    for (size_t k = 0; k < first->row_count && count < GRID_COLUMNS; k++) {
        if (first->rows[k].contender == GCAST_CONTENDER_FLAT && shown != OCCUPANCY)
            continue;
        choice[count] = k;
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
            put_value(&g, k, &s->at[i]->rows[choice[k]], shown);
    }
    grid_add(&g, GRID_PLAIN);
    grid_cell(&g, 0, shown == SPEEDUP ? "geometric mean" : "mean");
    for (int k = shown == SPEEDUP ? 2 : 1; k < count; k++)
        put_mean(&g, k, s, choice[k], shown);
    grid_text(&g, s->color, out);
    grid_close(&g);
}

void spawn_table(const spawn_set *s, text *out)
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
