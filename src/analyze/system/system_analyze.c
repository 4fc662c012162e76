/* system_analyze: an analysis, and what in it rests on numbers of the GPU that nobody has measured. */
#include "analyze/system/analyze_once.h"
#include "analyze/system/assumed/system_assumed.h"

sys_analyze_options system_analyze_options_default(void)
{
    return (sys_analyze_options){
        .gpu_method = GCAST_METHOD_BOUND, .gpu = gcast_analyze_options_default(), .communication = SYS_IMPLICIT};
}

gcast_status system_analyze(const sys_system *s, const sys_place *places, const sys_analyze_options *options,
                            sys_answer **out, gcast_error *err)
{
    sys_analyze_options own = system_analyze_options_default();
    if (!options)
        options = &own;
    gcast_status status = system_analyze_once(s, places ? places : s->places, options, false, out, err);
    if (status != GCAST_OK || options->tasks_only)
        return status;
    status = system_assumed_try(*out, options, err);
    if (status != GCAST_OK) {
        system_answer_free(*out);
        *out = NULL;
    }
    return status;
}
