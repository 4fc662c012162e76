/* gridcast whatif: what changes to a workload would bring, each simulated in full. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/integers.h"
#include "change/change_text.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "cli/simulated.h"
#include "cli/suggest.h"
#include "cli/workload_args.h"
#include "gridcast/whatif.h"

#define MAX_THREADS 1024

/* What the command line asks for. */
typedef struct whatif_asked {
    gcast_whatif_options options;
    VEC(const char *) changes, gpus;
    progress shown;
    const char *activity; /* that is shown; NULL: none */
    bool all, path, json, force;
    const char *file; /* gets the workload of a row */
    int64_t row;      /* from 1 */
} whatif_asked;

/* --with names no change: suggests one. */
static gcast_status say_no_change(const char *words, const gcast_error *err)
{
    char kind[32];
    snprintf(kind, sizeof kind, "%.*s", (int)strcspn(words, "="), words);
    suggestion suggested = suggest_for(kind);
    for (int k = 0; k < CHANGE_WRITTEN_KINDS; k++) {
        if (strcmp(change_kind_name((change_kind)k), kind) == 0)
            return say(err->code, "--with: %s", err->message);
        suggest_consider(&suggested, change_kind_name((change_kind)k));
    }
    if (suggested.nearest && err->code == GCAST_USAGE)
        return say(err->code, "--with: %s; did you mean %s?", err->message, suggested.nearest);
    return say(err->code, "--with: %s", err->message);
}

/* What is no change is said before anything is simulated. */
static gcast_status add_change(whatif_asked *x, const char *words)
{
    change c;
    gcast_error err;
    arena memory = {0};
    gcast_status status = change_parse(words, &memory, &c, &err);
    arena_free(&memory);
    if (status != GCAST_OK)
        return say_no_change(words, &err);
    return vec_push(&x->changes, words) ? GCAST_OK : say_no_memory();
}

static void show(void *data, const char *activity, double fraction)
{
    whatif_asked *x = data;
    if (x->activity != activity) {
        if (x->activity)
            progress_end(&x->shown);
        progress_start(&x->shown, activity);
        x->activity = activity;
    }
    progress_show(&x->shown, fraction);
}

static gcast_status read_args(const args *a, whatif_asked *x)
{
    static const char *const no_gpus[1];
    int64_t threads = max_i64(sysconf(_SC_NPROCESSORS_ONLN), 1);
    gcast_status status = args_int(a, "threads", 1, MAX_THREADS, &threads);
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        if (args_is(a, i, "with"))
            status = add_change(x, a->given[i].value);
        else if (args_is(a, i, "other-gpu") && strcmp(a->given[i].value, "none") != 0)
            status = vec_push(&x->gpus, a->given[i].value) ? GCAST_OK : say_no_memory();
    }
    x->all = args_has(a, "all");
    x->path = args_has(a, "path");
    x->json = args_has(a, "json");
    x->force = args_has(a, "force");
    x->file = args_value(a, "output");
    x->options = gcast_whatif_options_default();
    x->options.changes = x->changes.at;
    x->options.change_count = x->changes.count;
    x->options.gpus = x->gpus.count ? x->gpus.at : args_has(a, "other-gpu") ? no_gpus : NULL;
    x->options.gpu_count = x->gpus.count;
    x->options.of = args_value(a, "of");
    x->options.deadlines = args_has(a, "deadlines");
    x->options.all = x->all;
    x->options.explain_all = x->all || x->json;
    x->options.threads = (int)threads;
    x->options.progress = show;
    x->options.progress_data = x;
    return status;
}

static gcast_status check_options(const args *a)
{
    const char *file = args_value(a, "output");
    if (args_has(a, "row") && args_has(a, "with"))
        return say(GCAST_USAGE, "--row cannot be used with --with, which has no table");
    if (args_has(a, "row") != args_has(a, "output") && !args_has(a, "with"))
        return say(GCAST_USAGE, "--row N and -o FILE need each other: they write the workload of row N");
    if (file && (args_has(a, "json") || args_has(a, "path")))
        return say(GCAST_USAGE, "-o writes a workload and prints nothing: --%s cannot be used",
                   args_has(a, "json") ? "json" : "path");
    if (args_has(a, "of") && args_has(a, "deadlines"))
        return say(GCAST_USAGE, "give --of or --deadlines");
    gcast_status status = output_check_single(a);
    if (status == GCAST_OK && file)
        status = output_check_workload("-o", "whatif", file);
    return status == GCAST_OK ? outputs_check(a, NULL) : status;
}

/* Writes the workload of a row with its GPU, so that it can be simulated by itself. */
static gcast_status write_row(const args *a, const whatif_asked *asked, const gcast_whatif *x)
{
    gcast_error err;
    gcast_workload *w;
    gcast_whatif_row row;
    int64_t number = 1, count = 0;
    while (gcast_whatif_get_row(x, (size_t)count, &row))
        count++;
    gcast_status status = args_int(a, "row", 1, count, &number);
    if (status != GCAST_OK)
        return status;
    if (gcast_whatif_get_row(x, (size_t)number - 1, &row) && row.refusal)
        return say(GCAST_INPUT, "row %lld is not possible: %s", (long long)number, row.refusal);
    if (gcast_whatif_workload(x, (size_t)number - 1, &w, &err) != GCAST_OK)
        return say_error(&err);
    status = output_workload(asked->file, asked->force, w);
    gcast_workload_free(w);
    return status;
}

static gcast_status print_rows(const whatif_asked *asked, const gcast_whatif *x)
{
    output out;
    gcast_error err;
    gcast_status status = output_open(&out, "-", false);
    if (status != GCAST_OK)
        return status;
    status = gcast_whatif_report(x, asked->json ? GCAST_FORMAT_JSON : GCAST_FORMAT_TABLE, asked->all, asked->path,
                                 output_write, &out, &err);
    return output_finish(&out, status, &err);
}

static gcast_status answer(const args *a, const simulated *given, whatif_asked *asked)
{
    gcast_error err;
    gcast_whatif *x;
    gcast_whatif_row first;
    asked->options.simulate = &given->options;
    gcast_status status = gcast_run_try_changes(given->run, &asked->options, &x, &err);
    if (asked->activity)
        progress_end(&asked->shown);
    if (status != GCAST_OK)
        return say_error(&err);
    if (asked->options.change_count && gcast_whatif_get_row(x, 0, &first) && first.refusal)
        status = say(GCAST_INPUT, "%s: --with is not possible: %s", given->w->source, first.refusal);
    else
        status = asked->file ? write_row(a, asked, x) : print_rows(asked, x);
    gcast_whatif_free(x);
    return status;
}

static gcast_status run_command(const args *a)
{
    whatif_asked asked = {0};
    simulate_request request;
    simulated given = {0};
    gcast_status status = check_options(a);
    if (status == GCAST_OK)
        status = read_args(a, &asked);
    if (status == GCAST_OK)
        status = simulate_request_read(a, &request);
    if (status == GCAST_OK)
        status = simulated_make(&request, &given);
    if (status == GCAST_OK)
        status = answer(a, &given, &asked);
    simulated_free(&given);
    vec_free(&asked.changes);
    vec_free(&asked.gpus);
    return status;
}

static const option_spec options[] = {
    {"with", 0, "KIND=VALUE", "try this change only: connections=8; may repeat"},
    {"of", 0, "LABEL", "compare ends of LABEL[#JOB], not the last ends"},
    {"deadlines", 0, NULL, "judge by the number of missed deadlines"},
    {"other-gpu", 0, "GPU", "try this GPU; may repeat; none: no other"},
    {"all", 0, NULL, "also list changes that save no time or cost time"},
    {"path", 0, NULL, "list every part of the critical path"},
    {"row", 0, "N", "with -o: write the workload of row N"},
    {"output", 'o', "FILE", "write the workload of --row or --with; -: stdout"},
    {"force", 'f', NULL, "overwrite FILE"},
    {"json", 0, NULL, "print gridcast.whatif/1"},
    {"threads", 0, "N", "try N changes at a time (default: all cores)"},
    WORKLOAD_OPTIONS,
    SIMULATE_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const command cmd_whatif = {
    .name = "whatif",
    .operands = "WORKLOAD",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "what other streams, connections, SMs or graphs would save",
    .options = options,
    .examples = {"gridcast whatif examples/09-carveout.json", "gridcast whatif examples/thesis.json --with merge=all"},
    .run = run_command,
};
