#include "cli/smc/coverage_print.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "base/text/text.h"
#include "cli/exec/arguments/fill.h"
#include "cli/output/print_text.h"
#include "cli/say.h"

#define MAX_NAMED 10 /* jobs */

static int compare_counts(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The least, the median and the most jobs of the SMs that have workers, or ran a job; with one queue of all SMs. */
static void put_jobs_per_sm(const gcast_plan *plan, gcast_smc_coverage *c, text *out)
{
    uint32_t used = 0;
    for (uint32_t sm = 0; sm < c->sms; sm++) {
        bool has_workers = plan->mapping == GCAST_MAPPING_PERSISTENT || (sm < plan->sms && plan->workers[sm]);
        if (has_workers || c->jobs_of_sm[sm])
            c->jobs_of_sm[used++] = c->jobs_of_sm[sm];
    }
    qsort(c->jobs_of_sm, used, sizeof *c->jobs_of_sm, compare_counts);
    uint64_t doubled = (uint64_t)c->jobs_of_sm[used / 2] + c->jobs_of_sm[(used - 1) / 2];
    text_printf(out, "jobs per SM     %u to %u, median %" PRIu64 "%s\n", c->jobs_of_sm[0], c->jobs_of_sm[used - 1],
                doubled / 2, doubled % 2 ? ".5" : "");
}

static void put_list(const char *title, const uint32_t *job, uint32_t count, text *out)
{
    for (uint32_t i = 0; i < min_u32(count, MAX_NAMED); i++)
        text_printf(out, "%s%s%u", i ? " " : title, i ? "" : ": ", job[i]);
    if (count)
        text_str(out, count > MAX_NAMED ? " ...\n" : "\n");
}

static void put_displaced(const gcast_smc_coverage *c, text *out)
{
    for (uint32_t i = 0; i < min_u32(c->displaced, MAX_NAMED); i++) {
        uint32_t job = c->displaced_job[i];
        if (c->sm[job] == GCAST_SMC_UNKNOWN)
            text_printf(out, "job %u: not always on SM %u, as planned\n", job, c->planned_sm[job]);
        else
            text_printf(out, "job %u: on SM %u, planned on SM %u\n", job, c->sm[job], c->planned_sm[job]);
    }
    if (c->displaced > MAX_NAMED)
        text_printf(out, "... and %u more\n", c->displaced - MAX_NAMED);
}

static void put_coverage(const gcast_plan *plan, gcast_smc_coverage *c, uint32_t launches, text *out)
{
    text_printf(out, "jobs run        %u of %u\n", c->jobs - c->missing, c->jobs);
    text_printf(out, "missing         %u\n", c->missing);
    text_printf(out, "repeated        %u\n", c->repeated);
    if (plan->mapping == GCAST_MAPPING_PERSISTENT || plan->steal)
        text_str(out, "on another SM   any SM may run any job\n");
    else
        text_printf(out, "on another SM   %u\n", c->displaced);
    if (launches > 1)
        text_str(out, "jobs per SM     not known of several launches\n");
    else
        put_jobs_per_sm(plan, c, out);
    put_list("missing", c->missing_job, c->missing, out);
    put_list("repeated", c->repeated_job, c->repeated, out);
    put_displaced(c, out);
}

/* Words are little-endian in the file. */
static gcast_status read_marks(const char *path, uint32_t jobs, uint32_t **out)
{
    char owner[40];
    size_t bytes = 4 * (size_t)jobs;
    uint8_t *raw = malloc(bytes);
    *out = calloc(jobs, sizeof **out);
    snprintf(owner, sizeof owner, "a plan of %u jobs", jobs);
    gcast_status status = raw && *out ? exec_read_raw(path, raw, bytes, owner) : say_no_memory();
    for (uint32_t j = 0; j < jobs && status == GCAST_OK; j++)
        (*out)[j] = raw[4 * j] | (uint32_t)raw[4 * j + 1] << 8 | (uint32_t)raw[4 * j + 2] << 16 |
                    (uint32_t)raw[4 * j + 3] << 24;
    free(raw);
    return status;
}

gcast_status smc_coverage(const smc_request *r)
{
    const char *path = args_value(r->a, "coverage");
    int64_t launches = 1;
    uint32_t *marks = NULL;
    gcast_smc_coverage *c = NULL;
    gcast_error err;
    text printed;
    gcast_status status = args_int(r->a, "launches", 1, GCAST_SMC_MAX_LAUNCHES, &launches);
    if (status == GCAST_OK)
        status = read_marks(path, r->plan->jobs, &marks);
    if (status == GCAST_OK && gcast_smc_coverage_make(r->plan, marks, (uint32_t)launches, &c, &err) != GCAST_OK) {
        snprintf(err.file, sizeof err.file, "%s", path);
        status = say_error(&err);
    }
    text_open(&printed, NULL, NULL);
    if (status == GCAST_OK && !args_has(r->a, "quiet"))
        put_coverage(r->plan, c, (uint32_t)launches, &printed);
    status = print_text(&printed, status);
    if (status == GCAST_OK && (c->missing || c->repeated || c->displaced))
        status = GCAST_NO;
    gcast_smc_coverage_free(c);
    free(marks);
    return status;
}
