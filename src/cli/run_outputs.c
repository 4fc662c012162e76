#include "cli/run_outputs.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "cli/simulated.h"
#include "gridcast/explain.h"
#include "gridcast/names.h"
#include "gridcast/run.h"
#include "report/formats/examiner_log.h"

/* --examiner-logs writes a folder of logs for the viewers of the CUDA scheduling examiner. */

static gcast_status write_stream(const gcast_run *run, int stream, const char *path, bool force)
{
    output out;
    gcast_error err;
    gcast_status status = output_open(&out, path, force);
    if (status != GCAST_OK)
        return status;
    return output_finish(&out, gcast_run_report_examiner_log(run, stream, output_write, &out, &err), &err);
}

/* Writes FOLDER/stream-ID.json for each stream that ran a kernel; creates the folder if need be. */
static gcast_status examiner_logs_write(const gcast_run *run, const char *folder, bool force)
{
    char path[4096];
    gcast_status status = GCAST_OK;
    size_t written = 0;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return say(GCAST_RESOURCE, "%s: %s", folder, strerror(errno));
    for (size_t i = 0; i < run->workload->stream_count && status == GCAST_OK; i++) {
        if (!gcast_run_has_examiner_log(run, (int)i))
            continue;
        int n = snprintf(path, sizeof path, "%s/stream-%d.json", folder, run->workload->streams[i].id);
        if (n < 0 || (size_t)n >= sizeof path)
            return say(GCAST_RESOURCE, "%s: name too long", folder);
        status = write_stream(run, (int)i, path, force);
        written++;
    }
    if (!written)
        say_note("no stream ran a kernel: there are no logs for the examiner's viewers");
    return status;
}

/* The files of -o and standard output. */

#define LARGE_BYTES 100000000          /* files of this size get a note */
#define LARGE_UNPACKED_BYTES 250000000 /* so do gzipped traces that viewers unpack to this size */
#define LARGE_MIN_LINES 50000          /* no run with fewer operations and blocks gives such a file */

static bool draws_blocks(gcast_format f)
{
    return f == GCAST_FORMAT_SVG || f == GCAST_FORMAT_PNG || f == GCAST_FORMAT_PDF || f == GCAST_FORMAT_HTML ||
           f == GCAST_FORMAT_TRACE;
}

static gcast_status check_format(const char *path, run_file *file)
{
    file->path = path;
    if (!gcast_format_from_file(path, &file->format, &file->gzip))
        return say(
            GCAST_USAGE,
            "-o %s: the ending must be one of .json .csv .trace.json, with .gz or without, .svg .png .pdf .html .txt",
            path);
    if (!gcast_format_available(file->format))
        return say(GCAST_RESOURCE, "-o %s: this build cannot write %s (it has no cairo)", path,
                   gcast_name(GCAST_NAMES_FORMAT, file->format));
    return GCAST_OK;
}

static gcast_status check_options(const args *a)
{
    const char *stdout_user = args_has(a, "json") ? "--json" : args_has(a, "csv") ? "--csv" : NULL;
    if (args_has(a, "json") && args_has(a, "csv"))
        return say(GCAST_USAGE, "give one of --json and --csv; -o writes the other");
    if (args_has(a, "blocks") && args_has(a, "no-blocks"))
        return say(GCAST_USAGE, "give one of --blocks and --no-blocks");
    if (stdout_user && args_has(a, "quiet"))
        return say(GCAST_USAGE, "give one of --quiet and %s", stdout_user);
    return outputs_check(a, stdout_user);
}

/* A picture needs blocks unless more are recorded anyway. */
static recorded_blocks blocks_for(const run_outputs *o, gcast_format f)
{
    bool enough = o->needs_blocks == BLOCKS_ALL || o->needs_blocks == BLOCKS_IN_RANGE;
    if (!draws_blocks(f) || o->report.no_blocks || enough)
        return o->needs_blocks;
    return f == GCAST_FORMAT_HTML ? BLOCKS_FOR_PAGE : BLOCKS_IN_RANGE;
}

gcast_status run_outputs_from_args(const args *a, run_outputs *o)
{
    *o = (run_outputs){.report = gcast_report_options_default(), .print = GCAST_FORMAT_TABLE};
    int64_t width = 0;
    bool blocks = args_has(a, "blocks");
    gcast_status status = ranges_from_args(a, &o->report);
    if (status == GCAST_OK)
        status = args_int(a, "width", GCAST_MIN_WIDTH, GCAST_MAX_WIDTH, &width);
    if (status == GCAST_OK)
        status = check_options(a);
    if (args_has(a, "json"))
        o->print = GCAST_FORMAT_JSON;
    else if (args_has(a, "csv"))
        o->print = GCAST_FORMAT_CSV;
    o->quiet = args_has(a, "quiet");
    o->force = args_has(a, "force");
    o->logs = args_value(a, "examiner-logs");
    o->report.no_blocks = args_has(a, "no-blocks");
    o->needs_blocks = blocks || o->logs ? BLOCKS_ALL : BLOCKS_NONE;
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        run_file *file = &o->files[o->file_count];
        if (!args_is(a, i, "output"))
            continue;
        status = check_format(a->given[i].value, file);
        if (status != GCAST_OK)
            break;
        o->file_count++;
        o->needs_blocks = blocks_for(o, file->format);
        o->quiet = o->quiet || output_is_standard(file->path);
    }
    if (width)
        o->report.width = (int)width;
    o->report.blocks = blocks;
    o->report.fold = !args_has(a, "no-fold");
    o->report.color = want_color(a);
    return status;
}

static void format_bytes(uint64_t bytes, char *out, size_t size)
{
    if (bytes < 999500000)
        snprintf(out, size, "%d MB", (int)((bytes + 500000) / 1000000));
    else
        snprintf(out, size, "%llu.%d GB", (unsigned long long)((bytes + 50000000) / 1000000000),
                 (int)((bytes + 50000000) / 100000000 % 10));
}

/* Finds how large the file will be: as it is written and, for gzipped traces, which viewers unpack, without gzip. 0 for
 * runs with few operations and blocks. */
static gcast_status find_sizes(const gcast_run *run, gcast_format format, const gcast_report_options *options,
                               uint64_t *bytes, uint64_t *unpacked)
{
    gcast_error err;
    gcast_report_options plain = *options;
    uint64_t lines = 0;
    *bytes = *unpacked = 0;
    for (size_t i = 0; i < run->op_count + run->child_count; i++)
        lines += 1 + run->ops[i].block_count;
    if (lines < LARGE_MIN_LINES)
        return GCAST_OK;
    plain.gzip = false;
    if (options->gzip && format == GCAST_FORMAT_TRACE &&
        gcast_run_report_size(run, format, &plain, unpacked, &err) != GCAST_OK)
        return say_error(&err);
    return gcast_run_report_size(run, format, options, bytes, &err) == GCAST_OK ? GCAST_OK : say_error(&err);
}

/* Notes before a large file is written how large it will be, and how to make it smaller. */
static gcast_status note_large(const gcast_run *run, const char *path, gcast_format format,
                               const gcast_report_options *options)
{
    uint64_t bytes, unpacked;
    char note[640], size[40], unpacked_size[40], unpacked_text[80] = "", gzip_hint[40] = "";
    gcast_status status = find_sizes(run, format, options, &bytes, &unpacked);
    if (status != GCAST_OK || (bytes < LARGE_BYTES && unpacked < LARGE_UNPACKED_BYTES))
        return status;
    bool is_trace = format == GCAST_FORMAT_TRACE;
    const char *blocks_hint = is_trace && !options->no_blocks ? "; --no-blocks leaves out the blocks"
                              : options->blocks               ? "; it is smaller without --blocks"
                                                              : "";
    const char *part_hint = is_trace ? "; --time-range writes a part" : "";
    if (!options->gzip)
        snprintf(gzip_hint, sizeof gzip_hint, "; %s.gz compresses it", gcast_name(GCAST_NAMES_FORMAT, format));
    format_bytes(bytes, size, sizeof size);
    format_bytes(unpacked, unpacked_size, sizeof unpacked_size);
    if (unpacked)
        snprintf(unpacked_text, sizeof unpacked_text, ", %s uncompressed", unpacked_size);
    snprintf(note, sizeof note, "%.200s will take about %s%s%s%s%s", path, size, unpacked_text, blocks_hint, part_hint,
             gzip_hint);
    say_note(note);
    return GCAST_OK;
}

static gcast_status write_one(const gcast_run *run, const char *path, gcast_format format,
                              const gcast_report_options *options, bool force)
{
    output out;
    gcast_error err;
    progress shown;
    gcast_status status = output_open(&out, path, force);
    if (status != GCAST_OK)
        return status;
    gcast_report_options used = *options;
    used.color = options->color && out.file == stdout;
    used.explain = gcast_run_explain;
    if (out.file != stdout || !isatty(STDOUT_FILENO)) { /* on a terminal the line would stand in the output */
        progress_start(&shown, draws_blocks(format) && format != GCAST_FORMAT_TRACE ? "drawing" : "writing");
        used.progress = progress_show;
        used.progress_data = &shown;
    }
    status = gcast_run_report(run, format, &used, output_write, &out, &err);
    if (used.progress)
        progress_end(&shown);
    return output_finish(&out, status, &err);
}

gcast_status run_outputs_write(const run_outputs *o, const gcast_run *run)
{
    gcast_status status = GCAST_OK;
    if (o->report.last_sm >= run->gpu->sms)
        return say(GCAST_USAGE, "--sm-range: %s has SMs 0 to %d", run->gpu->name, run->gpu->sms - 1);
    for (size_t i = 0; i < o->file_count && status == GCAST_OK; i++) {
        const run_file *file = &o->files[i];
        gcast_report_options options = o->report;
        options.gzip = file->gzip;
        status = note_large(run, file->path, file->format, &options);
        if (status == GCAST_OK)
            status = write_one(run, file->path, file->format, &options, o->force);
    }
    if (status == GCAST_OK && o->logs)
        status = examiner_logs_write(run, o->logs, o->force);
    if (status == GCAST_OK && !o->quiet)
        status = write_one(run, "-", o->print, &o->report, false);
    return status;
}

gcast_status run_deadlines_status(const gcast_run *run)
{
    return gcast_run_in_time(run) && !run->hang ? GCAST_OK : GCAST_NO;
}
