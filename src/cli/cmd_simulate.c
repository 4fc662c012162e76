#include "cli/command.h"

static gcast_status run(const args *a)
{
    (void)a;
    return say(GCAST_INTERNAL, "not built");
}

const command cmd_simulate = {.name = "simulate", .operands = "", .max_operands = -1, .summary = "", .examples = {"", ""}, .run = run};
