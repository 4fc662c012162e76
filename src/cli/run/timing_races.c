#include "cli/run/timing_races.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text/units.h"
#include "cli/run/operations.h"
#include "cli/say.h"
#include "model/run.h"

#define DEFAULT_TRIALS 8
#define MAX_NOTES 5

static bool note_race(gcast_run *run, const gcast_race *race)
{
    char note[500], name[OPERATION_NAME_SIZE], earliest[40], latest[40], noise[40], launches[80] = "";
    operation_name(run, race->run_op, name);
    units_format_time(race->earliest_ns, earliest, sizeof earliest);
    units_format_time(race->latest_ns, latest, sizeof latest);
    units_format_time(run->gpu->launch_noise_ns, noise, sizeof noise);
    if (run->gpu->launch_noise_ns)
        snprintf(launches, sizeof launches, " and launches scatter by %s", noise);
    units_format_time(run->gpu->noise_ns, noise, sizeof noise);
    snprintf(note, sizeof note, "a race: %s ends from %s to %s where blocks take up to %s longer%s", name, earliest,
             latest, noise, launches);
    return run_add_note(run, note);
}

static bool note_races(gcast_run *run, const gcast_race *races, size_t count)
{
    char note[80];
    bool ok = true;
    for (size_t i = 0; i < count && i < MAX_NOTES && ok; i++)
        ok = note_race(run, &races[i]);
    if (count > MAX_NOTES && ok) {
        snprintf(note, sizeof note, "%zu other operations have races, too", count - MAX_NOTES);
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
    if (!args_has(a, "races") && !blocks_at_most(run, QUICK_MAX_BLOCKS))
        return run_add_note(run, "races were not looked for in this many blocks; --races N does") ? GCAST_OK
                                                                                                  : say_no_memory();
    if (gcast_run_find_races(run, gpu, options, (int)trials, &races, &count, &err) != GCAST_OK)
        return say_error(&err);
    bool ok = note_races(run, races, count);
    free(races);
    return ok ? GCAST_OK : say_no_memory();
}
