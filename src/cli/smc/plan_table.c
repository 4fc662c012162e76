#include "cli/smc/plan_table.h"

#include <stdio.h>
#include <string.h>

#include "base/minmax.h"
#include "report/tables/grid.h"

#define RANGE_SIZE 32

/* The least and the most of the SMs that are used. */
typedef struct range {
    uint32_t min, max;
} range;

static void extend(range *r, uint32_t value, bool is_first)
{
    r->min = is_first ? value : min_u32(r->min, value);
    r->max = is_first ? value : max_u32(r->max, value);
}

static void put_range(grid *g, int column, const range *r)
{
    if (r->min == r->max)
        grid_print(g, column, "%u", r->min);
    else
        grid_print(g, column, "%u-%u", r->min, r->max);
}

/* Columns from `column` on. */
static void put_sms(grid *g, const gcast_plan *p, int column)
{
    range workers = {0}, jobs = {0};
    uint32_t used = 0;
    for (uint32_t sm = 0; sm < p->sms; sm++) {
        if (!p->workers[sm])
            continue;
        extend(&workers, p->workers[sm], used == 0);
        extend(&jobs, p->first[sm + 1] - p->first[sm], used == 0);
        used++;
    }
    grid_print(g, column, "%u of %u", used, p->sms);
    put_range(g, column + 1, &workers);
    put_range(g, column + 2, &jobs);
}

static void put_row(grid *g, const gcast_plan *p, const char *kernel)
{
    int column = 0;
    grid_add(g, GRID_PLAIN);
    if (kernel)
        grid_label(g, column++, kernel);
    grid_print(g, column++, "%s%s", gcast_mapping_name(p->mapping), p->steal ? ", steal" : "");
    grid_print(g, column++, "%u", p->jobs);
    if (p->mapping != GCAST_MAPPING_PERSISTENT) {
        put_sms(g, p, column);
        return;
    }
    grid_cell(g, column, "any");
    grid_cell(g, column + 1, "any");
    grid_cell(g, column + 2, "any");
}

void plan_table(const smc_request *r, const gcast_ptx *p, const bool *stays, text *out)
{
    static const grid_column columns[] = {
        {"kernel", false},        {"mapping", false},    {"jobs", true}, {"SMs used", true},
        {"workers per SM", true}, {"jobs per SM", true}, {NULL, false},
    };
    grid g;
    grid_open(&g, p ? columns : columns + 1);
    if (!p)
        put_row(&g, r->plan, NULL);
    for (uint32_t i = 0; p && i < gcast_ptx_kernels(p); i++)
        if (!stays[i] && (!r->kernel || strcmp(r->kernel, gcast_ptx_kernel(p, i)) == 0))
            put_row(&g, r->plan, gcast_ptx_kernel(p, i));
    grid_text(&g, want_color(r->a), out);
    grid_close(&g);
}
