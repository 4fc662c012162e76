#include "cli/measure/cost.h"

#include <stdio.h>

#include "cli/output/progress.h"
#include "cli/say.h"
#include "gridcast/cost.h"

static void print_hundredths(uint32_t v)
{
    printf(" %6u.%02u", v / 100, v % 100);
}

gcast_status measure_cost(const args *a, const char *library)
{
    static const char *const allowed[] = {"cost", "driver", "color", "help", NULL};
    gcast_gpu_exec_options options = gcast_gpu_exec_options_default();
    gcast_cost_measured m;
    gcast_error err;
    if (a->operand_count)
        return say(GCAST_USAGE, "--cost takes no WORKLOAD: it brings its own");
    gcast_status status = args_only(a, "cost", allowed);
    if (status != GCAST_OK)
        return status;
    if (library)
        options.library = library;
    progress shown;
    progress_start(&shown, "measuring instructions");
    options.progress = progress_show;
    options.progress_data = &shown;
    status = gcast_cost_measure(&options, &m, &err);
    progress_end(&shown);
    if (status != GCAST_OK)
        return say_error(&err);
    printf("# %s at up to %u MHz; cycles alone, busy, the first time (docs/bridge.md)\n", m.gpu, m.clock_mhz);
    for (size_t i = 0; i < m.probes; i++) {
        printf("%-16s", m.probe[i].name);
        print_hundredths(m.probe[i].alone);
        print_hundredths(m.probe[i].busy);
        if (m.probe[i].first)
            print_hundredths(m.probe[i].first);
        printf("\n");
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? GCAST_OK : say(GCAST_RESOURCE, "cannot be written");
}
