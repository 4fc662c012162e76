#include "cli/measure/calibrate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/integers.h"
#include "base/text.h"
#include "cli/args.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "gridcast/read.h"
#include "measure/calibration.h"
#include "model/gpu.h"

gcast_status preset_of_title(const char *title, gcast_gpu **gpu)
{
    gcast_error err;
    *gpu = NULL;
    for (size_t i = 0; i < gcast_preset_count(); i++) {
        gcast_gpu *preset;
        if (gcast_gpu_preset(gcast_preset_name(i), &preset, &err) != GCAST_OK)
            return say_error(&err);
        if (strcmp(preset->title, title) == 0) {
            *gpu = preset;
            return GCAST_OK;
        }
        gcast_gpu_free(preset);
    }
    return GCAST_OK;
}

/* --cudadevrt or the environment says where NVIDIA's device runtime, libcudadevrt.a, is. */

#define CUDADEVRT_BYTES 4096 /* of a path */

/* Puts the path of the library in the toolkit `home` into `buffer`, and returns that; NULL: there is none. */
static const char *in_toolkit(const char *home, char *buffer, size_t size)
{
    static const char *const folders[] = {"lib64", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib",
                                          "targets/aarch64-linux/lib"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        int length = snprintf(buffer, size, "%s/%s/libcudadevrt.a", home, folders[i]);
        if (length > 0 && (size_t)length < size && access(buffer, R_OK) == 0)
            return buffer;
    }
    return NULL;
}

/* *path is the file of --cudadevrt, or that of CUDA_HOME or CUDA_PATH, put into `buffer`. NULL: none of them names one,
 * and gcast_calibration_measure looks in the usual places. A file of --cudadevrt that cannot be read is an error. */
static gcast_status cudadevrt_path(const args *a, char *buffer, size_t size, const char **path)
{
    static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH"};
    *path = args_value(a, "cudadevrt");
    if (*path && access(*path, R_OK) != 0)
        return say(GCAST_INPUT, "%s: %s", *path, strerror(errno));
    for (size_t i = 0; i < sizeof variables / sizeof variables[0] && !*path; i++) {
        const char *home = getenv(variables[i]);
        if (home && *home)
            *path = in_toolkit(home, buffer, size);
    }
    return GCAST_OK;
}

/* Latencies of calls are shown condition by condition. */

/* A time in microseconds; a dash if it is below 0. */
static void put_us(text *t, int width, int64_t ns)
{
    char number[32] = "-";
    if (ns >= 0)
        snprintf(number, sizeof number, "%lld.%03lld", (long long)(ns / 1000), (long long)(ns % 1000));
    text_printf(t, " %*s", width, number);
}

/* The time that one call in `one_in` exceeds; -1: there are too few samples. */
static int64_t quantile_ns(const gcast_latency *l, int64_t one_in)
{
    for (int i = 0; i < l->count; i++)
        if (l->quantile[i].one_in == one_in)
            return l->quantile[i].ns;
    return -1;
}

static void put_figures(text *t, const gcast_latency *l)
{
    text_printf(t, " %8lld", (long long)l->samples);
    put_us(t, 8, l->samples ? l->min_ns : -1);
    put_us(t, 8, quantile_ns(l, 2));
    put_us(t, 10, quantile_ns(l, 1000));
    put_us(t, 10, quantile_ns(l, 100000));
    put_us(t, 10, l->samples ? l->max_ns : -1);
    text_char(t, '\n');
}

static void put_pause(text *t, int64_t ns)
{
    char pause[32] = "none";
    if (ns)
        snprintf(pause, sizeof pause, ns < 1000000 ? "%lldus" : "%lldms",
                 (long long)(ns < 1000000 ? ns / 1000 : ns / 1000000));
    text_printf(t, " %5s", pause);
}

static void latency_rows_write(text *t, const gcast_calibration *c)
{
    static const char *const calls[GCAST_CALLS] = {"launch", "h2d", "d2h"};
    if (!c->condition_count)
        return;
    text_printf(t, "\n%-6s %5s %-4s %-4s %8s %8s %8s %10s %10s %10s\n", "call", "pause", "GPU", "host", "samples",
                "min", "median", "1 in 1000", "1 in 10^5", "max");
    for (size_t i = 0; i < c->condition_count; i++) {
        const gcast_latency_condition *at = &c->conditions[i];
        text_printf(t, "%-6s", calls[at->call]);
        put_pause(t, at->pause_ns);
        text_printf(t, " %-4s %-4s", at->gpu_busy ? "busy" : "idle", at->host_busy ? "busy" : "idle");
        put_figures(t, &at->latency);
    }
    text_printf(t, "%-22s", "launches, in any case");
    put_figures(t, &c->launch_quantiles);
    text_printf(t, "%-22s", "copies, in any case");
    put_figures(t, &c->copy_quantiles);
    text_printf(t,
                "microseconds from the call to the start; the clocks left up to %lld ns open, which are in them; "
                "host busy: %d threads\n",
                (long long)c->clocks_open_ns, c->host_threads);
}

/* A calibration is printed as a table, and written as a GPU file. */

static gcast_status check_args(const args *a)
{
    static const char *const allowed[] = {"calibrate", "sms",   "repeat", "limit", "driver", "output", "cudadevrt",
                                          "latencies", "force", "json",   "quiet", "color",  "help",   NULL};
    if (a->operand_count)
        return say(GCAST_USAGE, "--calibrate takes no WORKLOAD: it has its own kernels");
    gcast_status status = args_only(a, "calibrate", allowed);
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        const char *value = a->given[i].value;
        if (args_is(a, i, "output") && !path_ends_with(value, ".json"))
            return say(GCAST_USAGE, "-o %s: --calibrate writes a GPU, as .json", value);
    }
    return status == GCAST_OK ? outputs_check(a, args_has(a, "json") ? "--json" : NULL) : status;
}

/* One number of a reading, such as "12.345 GB/s". */
static void format_value(char *out, size_t size, gcast_reading_unit unit, int64_t v, bool with_unit)
{
    static const struct {
        int64_t divisor; /* of the number; if it is not 1, three decimals are shown */
        const char *name;
    } units[] = {[GCAST_UNIT_NS] = {1, " ns"},
                 [GCAST_UNIT_PS] = {1000, " ns"},
                 [GCAST_UNIT_RATE] = {1000000000, " GB/s"},
                 [GCAST_UNIT_PERCENT] = {1, " %"},
                 [GCAST_UNIT_COUNT] = {1, ""}};
    const char *name = with_unit ? units[unit].name : "";
    int64_t d = units[unit].divisor;
    if (d == 1)
        snprintf(out, size, "%lld%s", (long long)v, name);
    else
        snprintf(out, size, "%lld.%03lld%s", (long long)(v / d), (long long)(v % d / (d / 1000)), name);
}

static void write_row(text *t, const char *name, const char *value, const char *spread, size_t samples)
{
    text_printf(t, "%-20s %14s  %-20s %8zu", name, value, spread, samples);
}

static void write_table(text *t, const gcast_calibration *c, const gcast_gpu *gpu)
{
    char value[64], min[48], max[48], spread[120];
    text_terminal(t, gpu->title);
    text_printf(t, ", %d SMs\n\n%-20s %14s  %-20s %8s  what\n", gpu->sms, "parameter", "value", "spread", "samples");
    for (size_t i = 0; i < GCAST_READINGS; i++) {
        const gcast_reading *r = &c->readings[i];
        format_value(value, sizeof value, r->unit, r->median, true);
        format_value(min, sizeof min, r->unit, r->min, false);
        format_value(max, sizeof max, r->unit, r->max, false);
        snprintf(spread, sizeof spread, "%s..%s", min, max);
        write_row(t, r->name, r->samples ? value : "-", r->samples ? spread : "-", r->samples);
        text_printf(t, "  %s\n", r->text);
    }
    snprintf(value, sizeof value, "%d", gpu->copy_engines);
    write_row(t, "copy_engines", value, "-", c->readings[GCAST_READ_OVERLAP].samples);
    text_str(t, "  one each way where opposite directions run at once\n");
    snprintf(value, sizeof value, "%zu order%s", c->orders, c->orders == 1 ? "" : "s");
    snprintf(spread, sizeof spread, "%d of %d places", c->same_places, gpu->sms);
    write_row(t, "tie_order", c->order ? value : "-", c->order ? spread : "-", c->launches);
    const char *remark = c->orders == 1                ? "is the same every time"
                         : gcast_calibration_stable(c) ? "changes in the other places from launch to launch"
                         : c->order                    ? "changes from launch to launch: not written"
                                                       : "was not seen";
    text_printf(t, "  which SM takes block 0, 1, ... %s\n", remark);
}

static void write_reach(text *t, const gcast_calibration *c, int sms)
{
    char value[32], spread[48];
    int max = 0;
    for (int i = 0; c->reach && i < sms; i++)
        max = max_int(max, c->reach[i]);
    snprintf(value, sizeof value, "0..%d ns", max);
    snprintf(spread, sizeof spread, "halves %d ns apart", c->reach_difference_ns);
    write_row(t, "reach_ns", c->reach ? value : "-", c->reach ? spread : "-", c->reach ? (size_t)sms : 0);
    const char *remark = gcast_calibration_reaches(c) ? "" : c->reach ? ": not written" : ": was not seen";
    text_printf(t, "  how much longer than on other SMs a place stays empty, per SM%s\n", remark);
}

/* Says why launches of kernels by kernels were not measured. */
static void write_missing(text *t, const gcast_calibration *c)
{
    if (!c->children_missing)
        return;
    text_str(t, "\nlaunches of kernels by kernels were not measured: ");
    text_terminal(t, c->children_missing);
    text_str(t, "\n");
}

/* Without a table a note says the same. */
static void note_missing(const gcast_calibration *c, bool no_table)
{
    char note[640];
    if (!c->children_missing || !no_table)
        return;
    snprintf(note, sizeof note, "launches of kernels by kernels were not measured: %s", c->children_missing);
    say_note(note);
}

/* Notes rates that differ much between runs: other work on the host may use the bus. */
static void note_disturbed(const gcast_calibration *c)
{
    char note[160];
    for (size_t i = 0; i < GCAST_READINGS; i++) {
        const gcast_reading *r = &c->readings[i];
        if (r->unit != GCAST_UNIT_RATE || !r->samples || r->max - r->min <= r->max / 10)
            continue;
        snprintf(note, sizeof note, "%s differs by more than 10 %% between runs: does another program use the machine?",
                 r->name);
        say_note(note);
    }
}

static gcast_status write_all(const args *a, const gcast_calibration *c, const gcast_gpu *gpu)
{
    gcast_error err;
    text t;
    char *json, *table;
    size_t size, table_size;
    bool quiet = args_has(a, "quiet");
    gcast_status status = gcast_gpu_write_json(gpu, &json, &size, &err);
    if (status != GCAST_OK)
        return say_error(&err);
    note_disturbed(c);
    text_open(&t, NULL, NULL);
    write_table(&t, c, gpu);
    write_reach(&t, c, gpu->sms);
    latency_rows_write(&t, c);
    write_missing(&t, c);
    table = text_take(&t, &table_size);
    if (!table)
        status = say_no_memory();
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        if (!args_is(a, i, "output"))
            continue;
        status = output_bytes(a->given[i].value, args_has(a, "force"), json, size);
        quiet = quiet || strncmp(a->given[i].value, "-.", 2) == 0; /* standard output is used already */
    }
    note_missing(c, quiet || args_has(a, "json"));
    if (status == GCAST_OK && !quiet)
        status =
            args_has(a, "json") ? output_bytes("-", false, json, size) : output_bytes("-", false, table, table_size);
    free(json);
    free(table);
    return status;
}

/* Writes the preset of this GPU with the measured values; without a preset its limits with these values. */
static gcast_status finish(const args *a, const gcast_calibration *c)
{
    gcast_error err;
    gcast_gpu *gpu;
    gcast_status status = preset_of_title(c->gpu->title, &gpu);
    if (status != GCAST_OK)
        return status;
    if (gpu && gcast_gpu_partition(gpu, c->gpu->sms, &err) != GCAST_OK) { /* the preset has fewer SMs */
        gcast_gpu_free(gpu);
        gpu = NULL;
    }
    if (!gpu && gcast_gpu_copy(c->gpu, &gpu, &err) != GCAST_OK)
        return say_error(&err);
    status = gcast_calibration_apply(c, gpu, &err);
    if (status == GCAST_OK)
        status = gcast_gpu_check(gpu, &err);
    status = status == GCAST_OK ? write_all(a, c, gpu) : say_error(&err);
    gcast_gpu_free(gpu);
    return status;
}

gcast_status calibrate_command(const args *a, const gcast_measure_options *options, size_t repeat)
{
    gcast_error err;
    gcast_calibration *c;
    int64_t sms = 0;
    gcast_status status = check_args(a);
    if (status == GCAST_OK)
        status = args_int(a, "sms", 1, GCAST_MAX_SMS, &sms);
    if (status != GCAST_OK)
        return status;
    char buffer[CUDADEVRT_BYTES];
    progress shown;
    gcast_measure_options watched = *options;
    status = cudadevrt_path(a, buffer, sizeof buffer, &watched.cudadevrt);
    if (status != GCAST_OK)
        return status;
    progress_start(&shown, "calibrating");
    watched.progress = progress_show;
    watched.progress_data = &shown;
    status = gcast_calibration_measure((int)sms, &watched, repeat, &c, &err);
    progress_end(&shown);
    if (status != GCAST_OK)
        return say_error(&err);
    status = finish(a, c);
    gcast_calibration_free(c);
    return status;
}
