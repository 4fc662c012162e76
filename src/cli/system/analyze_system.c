#include "cli/system/analyze_system.h"

#include <string.h>

#include "analyze/system/system_analysis.h"
#include "cli/analyze/method_args.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "cli/system/mapping/map_args.h"
#include "cli/system/mapping/map_system.h"
#include "cli/system/opened_system.h"
#include "cli/system/system_files.h"
#include "cli/system/system_verdict.h"

const option_spec analyze_system_shared[] = {
    {"method", 0, NULL, "of the GPU: bound (auto), exact, explore or thesis"},
    {"limit", 0, NULL, NULL},
    {"launch-latency", 0, NULL, NULL},
    {"quantile", 0, NULL, NULL},
    {"trace", 0, NULL, NULL},
    {"period", 0, NULL, NULL},
    {"json", 0, NULL, "print gridcast.system/1"},
    {"quiet", 0, NULL, NULL},
    {"output", 0, NULL, ".txt .json .html .svg .png .pdf; --map: .amxmi"},
    {"force", 0, NULL, NULL},
    {"gpu", 0, NULL, NULL},
    {"sms", 0, NULL, NULL},
    {NULL, 0, NULL, NULL},
};

static gcast_status analyze_opened(const args *a, const sys_system *s, const sys_analyze_options *given)
{
    gcast_error err;
    progress shown;
    sys_answer *r;
    sys_analyze_options o = *given;
    progress_start(&shown, "analysing");
    o.gpu.progress = progress_show;
    o.gpu.progress_data = &shown;
    gcast_status status = system_analyze(s, NULL, &o, &r, &err);
    progress_end(&shown);
    if (status != GCAST_OK)
        return say_system_error(s, &err);
    status = system_tell(a, r, NULL);
    system_answer_free(r);
    return status;
}

gcast_status analyze_system_check(const args *a)
{
    static const char *const of_thesis[] = {"trace", "period"};
    static const char *const of_others[] = {"chain", "communication", "reaction", "ignore-offsets",
                                            "all",   "contexts",      "map"};
    const char *method = args_value(a, "method");
    bool by_thesis = method && strcmp(method, gcast_method_name(GCAST_METHOD_THESIS)) == 0;
    for (size_t i = 0; i < sizeof of_thesis / sizeof of_thesis[0]; i++)
        if (!by_thesis && args_has(a, of_thesis[i]))
            return say(GCAST_USAGE, "--%s goes with --method thesis", of_thesis[i]);
    for (size_t i = 0; i < sizeof of_others / sizeof of_others[0]; i++)
        if (by_thesis && args_has(a, of_others[i]))
            return say(GCAST_USAGE, "--%s has no meaning with --method thesis, which looks at the GPU alone",
                       of_others[i]);
    return args_has(a, "map") ? GCAST_OK : map_args_refuse(a);
}

gcast_status analyze_system(const args *a)
{
    opened_system opened;
    sys_analyze_options o = system_analyze_options_default();
    int method = 0, communication = SYS_IMPLICIT, reaction = SYS_FROM_STIMULUS; /* method 0: auto */
    gcast_status status = args_choice(a, "method", method_choices, &method);
    if (status == GCAST_OK)
        status = args_choice(a, "communication", communication_choices, &communication);
    if (status == GCAST_OK)
        status = args_choice(a, "reaction", reaction_choices, &reaction);
    if (status == GCAST_OK)
        status = analyze_options_from_args(a, &o.gpu);
    if (status == GCAST_OK)
        status = system_files_check(a);
    if (status != GCAST_OK)
        return status;
    if (method) /* auto is the default, which is quick */
        o.gpu_method = (gcast_method)(method - 1);
    o.communication = (sys_communication)communication;
    o.reaction = (sys_reaction)reaction;
    o.ignore_offsets = args_has(a, "ignore-offsets");
    if (args_has(a, "map"))
        return map_system(a, &o);
    status = opened_system_from_args(a, &opened);
    if (status != GCAST_OK)
        return status;
    status = analyze_opened(a, opened.s, &o);
    opened_system_free(&opened);
    return status;
}
