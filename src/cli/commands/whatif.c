/* gridcast whatif: what changes to a workload would bring, each simulated in full. */
#include <stdlib.h>

#include "cli/args.h"
#include "cli/output/output.h"
#include "cli/run/workload_args.h"
#include "cli/say.h"
#include "cli/whatif/whatif_print.h"

/* The workload of a row, with its GPU, so that it can be simulated by itself. */
static gcast_status write_row(const args *a, const whatif_rows *r, size_t row)
{
    variant v;
    gcast_error err;
    char *json = NULL;
    size_t size;
    gcast_status status = whatif_make(&r->base, r->rows.at[row].changes, r->rows.at[row].change_count, &v, &err);
    if (status == GCAST_OK) {
        gcast_workload_set_gpu(v.w, v.gpu);
        v.gpu = NULL; /* the workload's now */
        gcast_workload_set_partition(v.w, 0);
        status = gcast_workload_write_native(v.w, &json, &size, &err);
    }
    whatif_variant_free(&v);
    if (status != GCAST_OK)
        return say_error(&err);
    status = output_bytes(args_value(a, "output"), args_has(a, "force"), json, size);
    free(json);
    return status;
}

static gcast_status check_options(const args *a)
{
    const char *file = args_value(a, "output");
    if (args_has(a, "row") && args_has(a, "with"))
        return say(GCAST_USAGE, "--row is a row of the table; with --with there is one");
    if (args_has(a, "row") != args_has(a, "output") && !args_has(a, "with"))
        return say(GCAST_USAGE, "--row N and -o FILE go together: the workload of row N");
    if (file && (args_has(a, "json") || args_has(a, "path")))
        return say(GCAST_USAGE, "-o writes a workload, and prints nothing: --%s has no use",
                   args_has(a, "json") ? "json" : "path");
    if (args_has(a, "of") && args_has(a, "deadlines"))
        return say(GCAST_USAGE, "give --of or --deadlines");
    gcast_status status = output_check_single(a);
    if (status == GCAST_OK && file)
        status = output_check_workload("-o", "whatif", file);
    return status == GCAST_OK ? outputs_check(a, NULL) : status;
}

static gcast_status write_output(const args *a, const whatif_rows *r)
{
    int64_t row = 1;
    gcast_status status = args_int(a, "row", 1, (int64_t)r->rows.count, &row);
    if (status != GCAST_OK)
        return status;
    if (r->rows.at[row - 1].state == WHATIF_REFUSED)
        return say(GCAST_INPUT, "row %lld cannot be: %s", (long long)row, r->rows.at[row - 1].refusal);
    return write_row(a, r, (size_t)row - 1);
}

static gcast_status print_rows(const args *a, const whatif_rows *r)
{
    output out;
    gcast_status status = output_open(&out, "-", false);
    if (status != GCAST_OK)
        return status;
    if (args_has(a, "json"))
        whatif_json(&out.words, r);
    else
        whatif_print(&out.words, r, args_has(a, "all"), args_has(a, "path"));
    return output_finish(&out, GCAST_OK, NULL);
}

static gcast_status run_command(const args *a)
{
    whatif_rows r;
    gcast_status status = check_options(a);
    if (status != GCAST_OK)
        return status;
    status = whatif_rows_make(a, &r);
    if (status == GCAST_OK && r.with_given && r.rows.at[0].state == WHATIF_REFUSED)
        status = say(GCAST_INPUT, "%s: --with cannot be: %s", r.given.w->source, r.rows.at[0].refusal);
    if (status == GCAST_OK && args_has(a, "output"))
        status = write_output(a, &r);
    else if (status == GCAST_OK)
        status = print_rows(a, &r);
    whatif_rows_free(&r);
    return status;
}

static const option_spec options[] = {
    {"with", 0, "KIND=VALUE", "only this change, such as connections=8; several: together"},
    {"of", 0, "LABEL", "the end of LABEL or LABEL#JOB counts, not the last end"},
    {"deadlines", 0, NULL, "missed deadlines count"},
    {"other-gpu", 0, "GPU", "try this GPU; may repeat; none: no other"},
    {"all", 0, NULL, "also changes that bring nothing or cost time"},
    {"path", 0, NULL, "the way back from the end, part by part"},
    {"row", 0, "N", "with -o: the workload of row N"},
    {"output", 'o', "FILE", "write that workload, or that of --with; - is standard output"},
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
    .summary = "what other streams, connections, SMs or graphs would bring",
    .options = options,
    .examples = {"gridcast whatif examples/09-carveout.json", "gridcast whatif examples/thesis.json --with merge=all"},
    .run = run_command,
};
