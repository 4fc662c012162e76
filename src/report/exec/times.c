#include "report/exec/times.h"

#include "report/tables/grid.h"

typedef unsigned long long ull;

#define MAX_BLOCKS 40 /* rows of the table; .json has all blocks */

void exec_times_table(const gcast_block_times *b, text *t)
{
    static const grid_column columns[] = {{"block", true}, {"SM", true},     {"start ns", true},
                                          {"ns", true},    {"cycles", true}, {NULL, false}};
    grid g;
    text_printf(t, "  %-26s %u per thread, with the clocks\n", "registers", b->registers);
    text_printf(t, "  %-26s", "cycles per block");
    for (uint32_t i = 0; i < b->runs; i++)
        text_printf(t, "%s%s %llu (%llu to %llu)%s", i ? ";" : "",
                    i == 0   ? " first"
                    : i == 1 ? " then"
                             : "",
                    (ull)b->run[i].median, (ull)b->run[i].min, (ull)b->run[i].max, i == b->shown ? " *" : "");
    text_printf(t, "\n\nblocks of the run with *\n");
    grid_open(&g, columns);
    for (uint64_t i = 0; i < b->blocks && i < MAX_BLOCKS; i++) {
        const gcast_block_time *time = &b->block[i];
        grid_add(&g, GRID_PLAIN);
        grid_print(&g, 0, "%llu", (ull)i);
        grid_print(&g, 1, "%u", time->sm);
        grid_print(&g, 2, "%llu", (ull)time->start_ns);
        grid_print(&g, 3, "%llu", (ull)(time->end_ns - time->start_ns));
        grid_print(&g, 4, "%llu", (ull)time->cycles);
    }
    grid_text(&g, false, t);
    grid_close(&g);
    if (b->blocks > MAX_BLOCKS)
        text_printf(t, "%llu more blocks; .json has all\n", (ull)(b->blocks - MAX_BLOCKS));
}

void exec_times_json(const gcast_block_times *b, text *t)
{
    text_printf(t, ",\n \"times\": {\"registers\": %u, \"shown\": %u, \"runs\": [", b->registers, b->shown);
    for (uint32_t i = 0; i < b->runs; i++)
        text_printf(t, "%s{\"least\": %llu, \"median\": %llu, \"most\": %llu}", i ? ", " : "", (ull)b->run[i].min,
                    (ull)b->run[i].median, (ull)b->run[i].max);
    text_str(t, "],\n  \"blocks\": [");
    for (uint64_t i = 0; i < b->blocks; i++) {
        const gcast_block_time *time = &b->block[i];
        text_printf(t, "%s\n   {\"sm\": %u, \"start_ns\": %llu, \"end_ns\": %llu, \"cycles\": %llu}", i ? "," : "",
                    time->sm, (ull)time->start_ns, (ull)time->end_ns, (ull)time->cycles);
    }
    text_str(t, "]}");
}
