/* gridcast experiment: acceptance ratios of random task sets over utilisation. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/launcher.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "crew/crew.h"
#include "papers/experiment/experiment.h"
#include "papers/experiment/set_work.h"
#include "report/format_names.h"

static const option_spec options[] = {
    {"output", 'o', "FILE", "write .csv .txt .svg .png .pdf; may repeat"},
    {"force", 'f', NULL, "overwrite FILE"},
    {"quiet", 'q', NULL, "print no table"},
    {"threads", 0, "N", "judge N sets at a time (default: all cores)"},
    {"stop-after", 0, "N", "stop after N more sets; the same command continues"},
    {"set", 0, "N", "only print task set N (from 0) as a workload"},
    {NULL, 0, NULL, NULL},
};

/* Can the outputs be written? Asked before hours of work. *file is the first -o that is a file: it names the partial
 * file. */
static gcast_status check_outputs(const args *a, const char **file)
{
    for (size_t i = 0; i < a->given_count; i++) {
        const char *path = a->given[i].value;
        if (!args_is(a, i, "output"))
            continue;
        gcast_status status = output_check_format(path, FORMATS_PICTURE | FORMAT_BIT(TABLE) | FORMAT_BIT(CSV),
                                                  "acceptance is written as .csv .txt .svg .png or .pdf");
        if (status != GCAST_OK)
            return status;
        if (!output_is_standard(path) && !*file)
            *file = path;
    }
    if (!*file && args_has(a, "stop-after"))
        return say(GCAST_USAGE, "--stop-after needs -o FILE, from which the next run continues");
    return outputs_check(a, NULL);
}

static gcast_status write_one(const gcast_experiment *e, const uint32_t *verdicts, const char *path,
                              gcast_format format, bool force)
{
    output out;
    gcast_error err;
    gcast_status status = output_open(&out, path, force);
    if (status != GCAST_OK)
        return status;
    return output_finish(&out, gcast_acceptance_report(e, verdicts, format, output_write, &out, &err), &err);
}

static gcast_status write_outputs(const args *a, const gcast_experiment *e, const uint32_t *verdicts)
{
    bool quiet = args_has(a, "quiet");
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        const char *path = a->given[i].value;
        gcast_format format;
        if (!args_is(a, i, "output") || !gcast_format_from_name(path, &format))
            continue;
        quiet = quiet || output_is_standard(path);
        status = write_one(e, verdicts, path, format, args_has(a, "force"));
    }
    return status == GCAST_OK && !quiet ? write_one(e, verdicts, "-", GCAST_FORMAT_TABLE, false) : status;
}

static gcast_status print_set(const gcast_experiment *e, uint64_t set)
{
    gcast_workload *w = NULL;
    gcast_error err;
    gcast_status status = gcast_experiment_set(e, set, &w, &err);
    status = status == GCAST_OK ? output_workload("-", false, w) : say_error(&err);
    gcast_workload_free(w);
    return status;
}

/* On rank 0: runs the crew, with a progress line. */
static gcast_status judge_sets(crew_task *t, uint64_t *judged)
{
    gcast_error err;
    progress shown;
    progress_start(&shown, "judging sets");
    t->progress = progress_show;
    t->progress_data = &shown;
    gcast_status status = crew_run(t, judged, &err);
    progress_end(&shown);
    if (status == GCAST_OK)
        return GCAST_OK;
    say_error(&err);
    if (t->ranks.count > 1)
        launched_end_all(&t->ranks, status);
    return status;
}

/* On rank 0: judges the sets that are not yet known, and writes the outputs. */
static gcast_status run_leader(const args *a, crew_task *t, set_work *sets, const char *file)
{
    part_file part = {.fd = -1};
    gcast_error err;
    uint64_t size = t->work.items, found = 0, judged = 0;
    t->part = &part;
    sets->verdicts = calloc(size, sizeof *sets->verdicts);
    gcast_status status = sets->verdicts ? GCAST_OK : say(GCAST_RESOURCE, "not enough memory");
    if (status == GCAST_OK && file && set_work_open(sets, &part, file, &found, &err) != GCAST_OK)
        status = say_error(&err);
    uint64_t ready = status;
    ranks_share(&t->ranks, &ready);
    if (status == GCAST_OK && found)
        say(GCAST_OK, "note: %s has %llu of %llu sets already", part.path, (unsigned long long)found,
            (unsigned long long)size);
    if (status == GCAST_OK)
        status = judge_sets(t, &judged);
    uint64_t known = found + judged;
    bool is_complete = status == GCAST_OK && known == size;
    if (is_complete)
        status = write_outputs(a, sets->experiment, sets->verdicts);
    else if (status == GCAST_OK)
        status = say(GCAST_NO, "%s has %llu of %llu sets; run the same command again to continue", part.path,
                     (unsigned long long)known, (unsigned long long)size);
    part_close(&part, is_complete && status == GCAST_OK);
    free(sets->verdicts);
    return status;
}

/* On the other ranks: judges the sets that rank 0 hands out. */
static gcast_status follow(crew_task *t)
{
    gcast_error err;
    uint64_t ready, judged;
    ranks_share(&t->ranks, &ready);
    if (ready != GCAST_OK)
        return GCAST_OK;
    gcast_status status = crew_run(t, &judged, &err);
    if (status != GCAST_OK)
        launched_end_all(&t->ranks, say_error(&err));
    return status;
}

static gcast_status run_experiment(const args *a, const ranks *r, const gcast_experiment *e)
{
    const char *file = NULL;
    int64_t threads = crew_cores(r), max_sets = INT64_MAX, set = -1;
    gcast_status status = args_int(a, "threads", 1, CREW_MAX_THREADS, &threads);
    if (status == GCAST_OK)
        status = args_int(a, "stop-after", 1, INT64_MAX, &max_sets);
    if (status == GCAST_OK)
        status = args_int(a, "set", 0, INT64_MAX, &set);
    if (status == GCAST_OK)
        status = check_outputs(a, &file);
    if (status != GCAST_OK)
        return status;
    if (set >= 0)
        return r->rank ? GCAST_OK : print_set(e, (uint64_t)set);
    set_work sets = {.experiment = e};
    crew_task t = {.work = set_work_items(&sets),
                   .ranks = *r,
                   .threads = (int)threads,
                   .max_items = (uint64_t)max_sets,
                   .cannot_start = launched_cannot_start};
    return r->rank ? follow(&t) : run_leader(a, &t, &sets, file);
}

/* Rank 0 reads the file for all ranks, so that it need not be on every machine. */
static gcast_status load(const ranks *r, const char *path, gcast_experiment **e)
{
    gcast_error err;
    char *bytes = NULL;
    size_t size = 0;
    gcast_status status = r->rank ? GCAST_OK : gcast_file_read(path, &bytes, &size, &err);
    uint64_t word = status;
    ranks_share(r, &word);
    if (word != GCAST_OK)
        return r->rank ? (gcast_status)word : say_error(&err);
    ranks_share_bytes(r, &bytes, &size);
    if (!bytes)
        launched_end_all(r, say(GCAST_RESOURCE, "not enough memory"));
    status = gcast_experiment_read(bytes, size, strcmp(path, "-") == 0 ? "standard input" : path, e, &err);
    free(bytes);
    if (status != GCAST_OK && r->rank == 0)
        say_error(&err);
    if (!ranks_agree(r, *e ? (*e)->hash : 0))
        status = r->rank ? GCAST_INPUT : say(GCAST_INPUT, "the ranks have different versions of gridcast");
    return status;
}

static gcast_status run(const args *a)
{
    ranks r;
    gcast_error err;
    gcast_experiment *e = NULL;
    if (ranks_start(&r, launched_by(), &err) != GCAST_OK)
        return say_error(&err);
    gcast_status status = load(&r, a->operands[0], &e);
    if (status == GCAST_OK)
        status = run_experiment(a, &r, e);
    gcast_experiment_free(e);
    ranks_end(&r);
    return status;
}

const command cmd_experiment = {
    .name = "experiment",
    .operands = "SPEC",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "how many random task sets each analysis accepts",
    .options = options,
    .examples = {"gridcast experiment examples/experiment.json -o acceptance.csv -o acceptance.svg",
                 "gridcast experiment examples/experiment.json --set 7"},
    .run = run,
};
