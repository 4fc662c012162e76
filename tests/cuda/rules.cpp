// The rules of the SPAWN controller compile as C++17: a thread with 65 items, two blocks of a child, launches at first.
#include "gridcast_spawn_log.h"
#include "gridcast_spawn_rules.h"

int main()
{
    gridcast_params p = gridcast_params_default();
    p.policy = GRIDCAST_SPAWN;
    gridcast_averages a = gridcast_averages_start();
    gridcast_snapshot s = gridcast_snapshot_of(&a, &p);
    gridcast_log_head(stdout);
    return gridcast_launches(&p, &s, 65, gridcast_blocks_of(&p, 65), 0, 0, 0) ? 0 : 1;
}
