/* gridcast convert: reads a workload in any format and writes it in another. */
#include <stdlib.h>

#include "cli/args.h"
#include "cli/output/output.h"
#include "cli/say.h"
#include "cli/system/model_args.h"
#include "cli/workload_args.h"
#include "files/workload_formats.h"

typedef gcast_status (*writer)(const gcast_workload *w, char **text, size_t *size, gcast_error *err);

static const writer writers[] = {gcast_workload_write_native,
                                 gcast_workload_write_examiner}; /* in the order of convert_choices */

static gcast_status run(const args *a)
{
    int format = 0;
    gcast_status status = system_options_check(a);
    if (status == GCAST_OK)
        status = args_choice(a, "to", convert_choices, &format);
    if (status != GCAST_OK)
        return status;
    if (!args_has(a, "output"))
        return say(GCAST_USAGE, "convert: give -o FILE; - is standard output");
    status = output_check_single(a);
    if (status == GCAST_OK)
        status = output_check_workload("-o", "convert", args_value(a, "output"));
    if (status == GCAST_OK)
        status = output_check(args_value(a, "output"), args_has(a, "force"));
    if (status != GCAST_OK)
        return status;
    gcast_workload *w;
    gcast_gpu *gpu;
    workload_request request;
    if (system_wanted(a))
        status = model_workload_from_args(a, &w, &gpu);
    else if ((status = workload_request_read(a, &request)) == GCAST_OK)
        status = workload_open(&request, &w, &gpu);
    if (status != GCAST_OK)
        return status;
    if (args_has(a, "gpu")) {
        gcast_workload_set_gpu(w, gpu);
        gpu = NULL;
    }
    gcast_error err;
    char *bytes = NULL;
    size_t size;
    if (writers[format](w, &bytes, &size, &err) != GCAST_OK)
        status = say_error(&err);
    else
        status = output_bytes(args_value(a, "output"), args_has(a, "force"), bytes, size);
    free(bytes);
    gcast_gpu_free(gpu);
    gcast_workload_free(w);
    return status;
}

static const option_spec options[] = {
    {"output", 'o', "FILE", "write FILE; - is standard output"},
    {"to", 0, "FORMAT", "native (gridcast.workload/1, the default) or examiner"},
    {"force", 'f', NULL, "overwrite FILE"},
    WORKLOAD_OPTIONS,
    {NULL, 0, NULL, NULL},
};

static const option_spec system_options[] = {SYSTEM_OPTIONS, {NULL, 0, NULL, NULL}};

const command cmd_convert = {
    .name = "convert",
    .operands = "WORKLOAD|MODEL.amxmi...",
    .min_operands = 1,
    .max_operands = -1,
    .summary = "turn a workload into another format",
    .options = options,
    .system_options = system_options,
    .shared_options = convert_system_shared,
    .system_example = "gridcast convert examples/12-car.amxmi --gpu tx2 -o -",
    .examples = {"gridcast convert tests/data/examiner/simple.json -o -",
                 "gridcast convert tests/data/examiner/scenario_1.json --to examiner -o -"},
    .run = run,
};
