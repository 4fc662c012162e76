#include "cli/smc/corun/corun_run.h"

#include "cli/choices.h"
#include "cli/output/print_text.h"
#include "cli/say.h"
#include "cli/smc/corun/corun_json.h"
#include "cli/smc/corun/corun_launches.h"
#include "cli/smc/corun/corun_plans.h"
#include "cli/smc/corun/corun_table.h"
#include "cli/smc/corun/measured.h"
#include "cli/smc/corun/predicted.h"
#include "cli/smc/plan_args.h"

static gcast_status check_args(const args *a)
{
    static const char *const allowed[] = {"corun", "gpu",       "sms",         "goal",        "segments", "queues",
                                          "steal", "save-plan", "independent", "whole-warps", "json",     "force",
                                          "quiet", "color",     "device",      "driver",      NULL};
    gcast_status status = args_only(a, "corun", allowed);
    if (status == GCAST_OK && (a->operand_count < 2 || a->operand_count > GCAST_CORUN_MAX))
        status = say(GCAST_USAGE, "--corun takes from 2 to %d launch files", GCAST_CORUN_MAX);
    if (status == GCAST_OK && args_has(a, "driver") && !args_has(a, "device"))
        status = say(GCAST_USAGE, "--driver goes with --device");
    if (status == GCAST_OK && args_has(a, "device") && (args_has(a, "segments") || args_has(a, "steal")))
        status = say(GCAST_USAGE, "--device measures queues, and --save-plan writes these");
    return status;
}

static gcast_status read_request(corun_request *c)
{
    int goal = GCAST_CORUN_STP;
    gcast_status status = check_args(c->smc->a);
    if (status == GCAST_OK)
        status = args_choice(c->smc->a, "goal", metric_choices, &goal);
    if (status == GCAST_OK)
        status = smc_sms_read(c->smc, "--corun", &c->options.sms);
    c->options.goal = (gcast_corun_goal)goal;
    if (status == GCAST_OK)
        status = corun_launches_read(c);
    return status == GCAST_OK ? corun_plans_check(c) : status;
}

static gcast_status search(corun_request *c)
{
    gcast_error err;
    c->options.exhaustive = c->options.every_worker = c->evaluator->is_cheap && c->options.kernels == 2;
    gcast_status status = c->evaluator->start(c);
    if (status == GCAST_OK && gcast_corun_search(&c->options, &c->found, &err) != GCAST_OK)
        status = say_error(&err);
    if (c->evaluator->stop)
        c->evaluator->stop(c);
    return status;
}

static gcast_status print(const corun_request *c)
{
    bool is_json = args_has(c->smc->a, "json");
    text printed;
    text_open(&printed, NULL, NULL);
    if (is_json)
        corun_json(c, &printed);
    else if (!args_has(c->smc->a, "quiet"))
        corun_table(c, &printed);
    return print_text(&printed, GCAST_OK);
}

gcast_status smc_corun(smc_request *r)
{
    corun_request c = {.smc = r,
                       .evaluator = args_has(r->a, "device") ? &corun_measured : &corun_predicted,
                       .options = gcast_corun_options_default()};
    gcast_status status = read_request(&c);
    if (status == GCAST_OK)
        status = search(&c);
    if (status == GCAST_OK)
        status = corun_plans_write(&c);
    if (status == GCAST_OK)
        status = print(&c);
    corun_launches_free(&c);
    return status;
}
