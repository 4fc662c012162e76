#include "cli/measure/launches/measure_launches.h"

#include "cli/measure/coruns/corun_manners.h"
#include "cli/measure/launches/alone.h"
#include "cli/measure/launches/workers_curve.h"
#include "cli/say.h"

gcast_status measure_launches(const args *a, const char *library)
{
    static const char *const allowed[] = {"launch", "plan", "hold",  "independent", "whole-warps", "repeat",
                                          "driver", "json", "quiet", "color",       "help",        NULL};
    launches l = {.a = a};
    if (a->operand_count)
        return say(GCAST_USAGE, "--launch takes no WORKLOAD");
    bool is_curve = args_has(a, "curve");
    gcast_status status = is_curve ? workers_curve_check(a) : args_only(a, "launch", allowed);
    if (status != GCAST_OK)
        return status;
    status = launches_read_all(&l);
    if (status == GCAST_OK)
        status = launches_open(&l, library);
    if (status == GCAST_OK)
        status = is_curve ? workers_curve(&l) : l.count > 1 ? launches_together(&l) : launch_alone(&l);
    launches_close(&l);
    return status;
}
