/* The search for a configuration of a co-run (gridcast/corun.h). */
#include <math.h>
#include <string.h>

#include "analyze/corun/split_many.h"
#include "analyze/corun/split_two.h"
#include "analyze/corun/trials.h"
#include "analyze/corun/worker_climb.h"
#include "base/api/argument_missing.h"
#include "base/api/options_copy.h"
#include "gridcast/gpu.h"
#include "gridcast/plan.h"

#define MAX_ROUNDS 4 /* how often a split is searched, each time with the workers that are best on the last one */

static gcast_status check_kernels(const gcast_corun_options *o, gcast_error *err)
{
    for (uint32_t k = 0; k < o->kernels; k++) {
        if (o->max_workers[k] == 0)
            return gcast_error_set(err, GCAST_USAGE, NULL, "kernel %u has no workers", k + 1);
        if (!(o->alone_ns[k] > 0) || !isfinite(o->alone_ns[k]))
            return gcast_error_set(err, GCAST_USAGE, NULL, "the time of kernel %u alone is not above 0", k + 1);
    }
    return GCAST_OK;
}

static gcast_status check_options(const gcast_corun_options *o, gcast_error *err)
{
    if (!o->time)
        return gcast_error_set(err, GCAST_USAGE, NULL, "nothing says how long a configuration takes");
    if (o->kernels < 2 || o->kernels > GCAST_CORUN_MAX)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a co-run has from 2 to %d kernels, not %u", GCAST_CORUN_MAX,
                               o->kernels);
    if (o->step == 0)
        return gcast_error_set(err, GCAST_USAGE, NULL, "SMs cannot be dealt in steps of 0");
    if (o->sms > GCAST_MAX_SMS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a GPU has at most %d SMs, not %u", GCAST_MAX_SMS, o->sms);
    if (o->sms / o->step < o->kernels)
        return gcast_error_set(err, GCAST_USAGE, NULL, "%u SMs are too few for %u kernels with at least %u each",
                               o->sms, o->kernels, o->step);
    if ((unsigned)o->goal > GCAST_CORUN_ANTT)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no goal number %d", (int)o->goal);
    for (uint32_t i = 0; i < o->kernels; i++)
        if (o->max_workers[i] > GCAST_PLAN_MAX_WORKERS)
            return gcast_error_set(err, GCAST_USAGE, NULL, "an SM holds at most %d workers, not %u",
                                   GCAST_PLAN_MAX_WORKERS, o->max_workers[i]);
    if (o->exhaustive && o->kernels > 2)
        return gcast_error_set(err, GCAST_USAGE, NULL, "every split can be tried for 2 kernels, not for %u",
                               o->kernels);
    if (o->every_worker && !o->exhaustive)
        return gcast_error_set(err, GCAST_USAGE, NULL, "every number of workers is tried only with every split");
    return check_kernels(o, err);
}

static gcast_status find_split(corun_search *s)
{
    if (s->o.kernels > 2)
        return corun_move_sms(s);
    return s->o.exhaustive ? corun_try_all_splits(s) : corun_sample_splits(s);
}

static gcast_status run_search(corun_search *s)
{
    bool has_changed = true;
    gcast_status status = corun_climb_workers(s);
    for (int i = 0; i < MAX_ROUNDS && has_changed && status == GCAST_OK; i++) {
        status = find_split(s);
        if (status == GCAST_OK) {
            s->start = corun_best(s)->config;
            status = corun_adjust_workers(s, &has_changed);
        }
    }
    return status;
}

gcast_status gcast_corun_search(const gcast_corun_options *options, gcast_corun *out, gcast_error *err)
{
    if (!out)
        return argument_missing(err);
    corun_search s = {.o = gcast_corun_options_default(), .err = err};
    memset(out, 0, sizeof *out);
    gcast_status status = options_copy(&s.o, sizeof s.o, options, "gcast_corun_options", err);
    if (status == GCAST_OK)
        status = check_options(&s.o, err);
    if (status != GCAST_OK)
        return status;
    s.units = s.o.sms / s.o.step;
    status = run_search(&s);
    if (status == GCAST_OK) {
        const corun_trial *best = corun_best(&s);
        out->config = best->config;
        memcpy(out->together_ns, best->together_ns, sizeof out->together_ns);
        out->score = gcast_corun_score_make(s.o.kernels, s.o.alone_ns, best->together_ns);
        out->tried = (uint32_t)s.trials.count;
    }
    vec_free(&s.trials);
    index_free(&s.seen);
    return status;
}
