#include "property/oracle_trial.h"

#include <stdio.h>

bool oracle_trial_alike(oracle_trial *t, bool record_blocks)
{
    gcast_error err;
    t->g.options.record_blocks = record_blocks;
    gcast_run_free(t->run);
    t->run = NULL;
    if (gcast_workload_simulate(t->g.workload, t->g.gpu, &t->g.options, &t->run, &err) != GCAST_OK) {
        snprintf(t->difference, sizeof t->difference, "the simulator fails: %s (%s)", err.message, err.path);
        return false;
    }
    if (!compare_runs(t->run, &t->oracle, t->difference, sizeof t->difference))
        return false;
    if (gcast_run_check(t->run, &err) != GCAST_OK) {
        snprintf(t->difference, sizeof t->difference, "the checker says: %s", err.message);
        return false;
    }
    return true;
}

bool oracle_trial_window(oracle_trial *t)
{
    support_random r = {t->seed * 0x9e3779b97f4a7c15u + 7};
    gcast_simulate_options *o = &t->g.options;
    int64_t end = t->oracle.end_ns > 0 ? t->oracle.end_ns : 1;
    o->record_from_ns = support_between(&r, 0, end);
    o->record_to_ns = o->record_from_ns + support_between(&r, 1, support_between(&r, 1, end));
    bool alike = oracle_trial_alike(t, true);
    o->record_from_ns = o->record_to_ns = 0;
    return alike;
}

void oracle_trial_free(oracle_trial *t)
{
    gcast_run_free(t->run);
    oracle_free(&t->oracle);
    generated_free(&t->g);
}
