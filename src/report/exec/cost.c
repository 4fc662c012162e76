#include "report/exec/cost.h"

typedef unsigned long long ull;

void exec_cost_table(const gcast_cost_summary *c, text *t)
{
    text_printf(t, "  %-26s %llu ns: %llu cycles (%llu to %llu) at %u MHz\n", "a block takes", (ull)c->median_ns,
                (ull)c->cycles.median, (ull)c->cycles.min, (ull)c->cycles.max, c->clock_mhz);
    text_printf(t, "  %-26s %s; %s for %u %% of the time, with %u block%s per SM\n", "because of",
                c->busy_percent >= 100 ? gcast_cost_unit(c->unit) : "waiting", gcast_cost_unit(c->unit),
                c->busy_percent, c->blocks_per_sm, c->blocks_per_sm == 1 ? "" : "s");
}

void exec_cost_json(const gcast_cost_summary *c, text *t)
{
    text_printf(t,
                ",\n \"cost\": {\"clock_mhz\": %u, \"blocks_per_sm\": %u, \"median_ns\": %llu, "
                "\"cycles\": {\"least\": %llu, \"median\": %llu, \"most\": %llu}, \"unit\": \"%s\", "
                "\"busy_percent\": %u}",
                c->clock_mhz, c->blocks_per_sm, (ull)c->median_ns, (ull)c->cycles.min, (ull)c->cycles.median,
                (ull)c->cycles.max, gcast_cost_unit(c->unit), c->busy_percent);
}
