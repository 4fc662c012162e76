#include "cli/run/timing_races.h"

#include <stdlib.h>

#include "base/text/units.h"
#include "model/run/run.h"

#define DEFAULT_TRIALS 8
#define MOST_BLOCKS 100000
#define MOST_NOTES 5

bool races_quick(const gcast_run *run)
{
    uint64_t n = 0;
    for (size_t i = 0; i < run->op_count && n <= MOST_BLOCKS; i++)
        n += run->ops[i].block_count <= MOST_BLOCKS ? run->ops[i].block_count : MOST_BLOCKS + 1;
    return n <= MOST_BLOCKS;
}

static bool note_race(gcast_run *run, const gcast_race *race)
{
    const gcast_run_op *r = &run->ops[race->run_op];
    const gcast_op *op = &run->workload->ops[r->op];
    char note[500], job[24] = "", first[40], last[40], noise[40], launches[80] = "";
    if (op->task != GCAST_ONCE)
        snprintf(job, sizeof job, "#%u", r->job);
    units_format_time(race->earliest_ns, first, sizeof first);
    units_format_time(race->latest_ns, last, sizeof last);
    units_format_time(run->gpu->launch_noise_ns, noise, sizeof noise);
    if (run->gpu->launch_noise_ns)
        snprintf(launches, sizeof launches, " and launches scatter by %s", noise);
    units_format_time(run->gpu->noise_ns, noise, sizeof noise);
    snprintf(note, sizeof note, "a race: %.200s%s ends from %s to %s where blocks take up to %s longer%s", op->label,
             job, first, last, noise, launches);
    return run_add_note(run, note);
}

static bool note_races(gcast_run *run, const gcast_race *races, size_t count)
{
    char note[80];
    bool ok = true;
    for (size_t i = 0; i < count && i < MOST_NOTES && ok; i++)
        ok = note_race(run, &races[i]);
    if (count > MOST_NOTES && ok) {
        snprintf(note, sizeof note, "and so it is with %zu other operations", count - MOST_NOTES);
        ok = run_add_note(run, note);
    }
    return ok;
}

gcast_status races_from_args(const args *a, const gcast_gpu *gpu, const gcast_simulate_options *options, gcast_run *run)
{
    int64_t trials = DEFAULT_TRIALS;
    gcast_error err;
    gcast_race *races;
    size_t count;
    gcast_status status = args_int(a, "races", 0, 1000000, &trials);
    if (status != GCAST_OK || !trials || (!run->gpu->noise_ns && !run->gpu->launch_noise_ns))
        return status;
    if (!args_has(a, "races") && !races_quick(run))
        return run_add_note(run, "races were not looked for in this many blocks; --races N does")
                   ? GCAST_OK
                   : say(GCAST_RESOURCE, "not enough memory");
    if (gcast_run_find_races(run, gpu, options, (int)trials, &races, &count, &err) != GCAST_OK)
        return say_error(&err);
    bool ok = note_races(run, races, count);
    free(races);
    return ok ? GCAST_OK : say(GCAST_RESOURCE, "not enough memory");
}
