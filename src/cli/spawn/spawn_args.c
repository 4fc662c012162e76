#include "cli/spawn/spawn_args.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/digits.h"
#include "cli/output/output.h"

#define MAX_QUEUE_LIMIT (INT64_C(1) << 32)

static gcast_status add_choice(spawn_request *r, gcast_spawn_contender contender, uint32_t threshold)
{
    for (size_t i = 0; i < r->options.choice_count; i++)
        if (r->choices[i].contender == contender && r->choices[i].threshold == threshold)
            return GCAST_OK;
    if (r->options.choice_count == SPAWN_MAX_CHOICES)
        return say(GCAST_USAGE, "at most %d policies are compared", SPAWN_MAX_CHOICES);
    r->choices[r->options.choice_count++] = (gcast_spawn_choice){contender, threshold};
    return GCAST_OK;
}

static gcast_status add_thresholds(spawn_request *r)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < r->a->given_count && status == GCAST_OK; i++) {
        const char *value = r->a->given[i].value, *at = value;
        uint64_t threshold;
        if (!args_is(r->a, i, "threshold"))
            continue;
        if (!read_digits(&at, &threshold) || *at || threshold < 1 || threshold > UINT32_MAX)
            return say(GCAST_USAGE, "--threshold is a whole number from 1 to %u, not %s", UINT32_MAX, value);
        status = add_choice(r, GCAST_CONTENDER_THRESHOLD, (uint32_t)threshold);
    }
    return status;
}

/* Words of --policy, with commas between them. */
static gcast_status add_policies(spawn_request *r, const char *list)
{
    gcast_status status = GCAST_OK;
    for (const char *at = list; status == GCAST_OK; at += *at == ',') {
        size_t length = strcspn(at, ",");
        char word[24];
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), at);
        int found = choice_find(policies_choices, word);
        if (found < 0) {
            char words[120];
            choices_join(policies_choices, words, sizeof words);
            return say(GCAST_USAGE, "--policy has words with commas between them, each %s, not %s", words, list);
        }
        int contender = 0; /* --threshold has one of its own */
        while (strcmp(gcast_spawn_contender_name((gcast_spawn_contender)contender), word) != 0)
            contender++;
        status = add_choice(r, (gcast_spawn_contender)contender, 0);
        at += length;
        if (!*at)
            break;
    }
    return status;
}

/* Without --policy all are compared; --threshold adds to them. */
static gcast_status read_choices(spawn_request *r)
{
    const char *list = args_value(r->a, "policy");
    bool is_usual = !list && !args_has(r->a, "timeline");
    gcast_status status = list ? add_policies(r, list) : is_usual ? add_policies(r, "flat,always") : GCAST_OK;
    if (status == GCAST_OK)
        status = add_thresholds(r);
    if (status == GCAST_OK && is_usual)
        status = add_policies(r, "offline,spawn,predict");
    r->options.choices = r->choices;
    return status;
}

static gcast_status read_controller(const args *a, gcast_spawn_options *o)
{
    int idle = o->idle, average = o->average, counters = o->counters, start = o->start;
    int64_t limit = (int64_t)o->queue_limit;
    gcast_status status = args_span(a, "window", &o->window_ns);
    if (status == GCAST_OK)
        status = args_choice(a, "idle", idle_choices, &idle);
    if (status == GCAST_OK)
        status = args_choice(a, "average", average_choices, &average);
    if (status == GCAST_OK)
        status = args_choice(a, "counters", counters_choices, &counters);
    if (status == GCAST_OK)
        status = args_choice(a, "start", start_choices, &start);
    if (status == GCAST_OK)
        status = args_int(a, "queue-limit", 1, MAX_QUEUE_LIMIT, &limit);
    o->idle = (gcast_spawn_idle)idle;
    o->average = (gcast_spawn_average)average;
    o->counters = (gcast_spawn_counter)counters;
    o->start = (gcast_spawn_start)start;
    o->queue_limit = (uint64_t)limit;
    o->fractions = args_has(a, "fractions");
    return status;
}

static gcast_status read_app(spawn_request *r)
{
    int stream = 0;
    int64_t min_items = 0;
    gcast_status status = args_choice(r->a, "stream", child_stream_choices, &stream);
    r->app.stream = stream ? GCAST_CHILD_STREAM_BLOCK : GCAST_CHILD_STREAM_OWN;
    if (status == GCAST_OK)
        status = args_time(r->a, "turnaround", &r->app.turnaround_ns);
    if (status == GCAST_OK && r->app.turnaround_ns > GCAST_APP_MAX_NS)
        status = say(GCAST_USAGE, "--turnaround is at most 1000s");
    if (status == GCAST_OK)
        status = args_int(r->a, "min-items", 1, UINT32_MAX, &min_items);
    r->app.min_items = (uint32_t)min_items;
    return status;
}

/* What contradicts itself. */
static gcast_status check_together(const spawn_request *r)
{
    static const char *const of_app[] = {"input", "costs", "stream", "turnaround", "min-items", "save"};
    static const char *const not_of_all[] = {"input", "save", "timeline", "log"};
    bool has_spawn = false;
    const char *app = args_value(r->a, "app");
    if (!app == !r->a->operand_count)
        return say(GCAST_USAGE, "give a WORKLOAD, or an application with --app");
    for (size_t i = 0; i < sizeof of_app / sizeof *of_app; i++)
        if (!app && args_has(r->a, of_app[i]))
            return say(GCAST_USAGE, "--%s goes with --app", of_app[i]);
    for (size_t i = 0; i < sizeof not_of_all / sizeof *not_of_all; i++)
        if (r->is_all && args_has(r->a, not_of_all[i]))
            return say(GCAST_USAGE, "--%s goes with one application, not with all", not_of_all[i]);
    for (size_t i = 0; i < r->options.choice_count; i++)
        has_spawn = has_spawn || r->choices[i].contender == GCAST_CONTENDER_SPAWN;
    if (args_has(r->a, "log") && (!has_spawn || args_has(r->a, "save")))
        return say(GCAST_USAGE, "--log is of the policy spawn, which is not simulated here");
    if (args_has(r->a, "timeline") && r->options.choice_count != 1)
        return say(GCAST_USAGE, "--timeline is of one policy: --policy or --threshold says which");
    return GCAST_OK;
}

/* A picture by the ending of its name. */
static gcast_status check_picture(const char *path, bool may_be_text)
{
    gcast_format format;
    bool is_known = gcast_format_from_name(path, &format);
    bool is_picture = format == GCAST_FORMAT_SVG || format == GCAST_FORMAT_PNG || format == GCAST_FORMAT_PDF;
    bool is_text = may_be_text && (format == GCAST_FORMAT_JSON || format == GCAST_FORMAT_TABLE);
    if (!is_known || (!is_picture && !is_text))
        return say(GCAST_USAGE, "%s: ends in .svg .png .pdf%s", path, may_be_text ? " .json or .txt" : "");
    if (!gcast_format_available(format))
        return say(GCAST_RESOURCE, "%s: this build cannot write %s", path, gcast_format_ending(format));
    return GCAST_OK;
}

/* --timeline and --save, each of which may take standard output, and -o. */
static gcast_status check_outputs(const args *a)
{
    static const char *const others[] = {"timeline", "save", "log"};
    static const char *const options[] = {"--timeline", "--save", "--log"};
    const char *stdout_user = args_has(a, "json") ? "--json" : NULL;
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < sizeof others / sizeof *others && status == GCAST_OK; i++) {
        const char *path = args_value(a, others[i]);
        if (!path)
            continue;
        if (i == 0)
            status = check_picture(path, false);
        if (status == GCAST_OK && output_is_standard(path) && stdout_user)
            status = say(GCAST_USAGE, "--%s %s: standard output is taken by %s", others[i], path, stdout_user);
        if (output_is_standard(path))
            stdout_user = options[i];
        if (status == GCAST_OK)
            status = output_check(path, args_has(a, "force"));
    }
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++)
        if (args_is(a, i, "output"))
            status = check_picture(a->given[i].value, true);
    return status == GCAST_OK ? outputs_check(a, stdout_user) : status;
}

gcast_status spawn_args_read(const args *a, spawn_request *r)
{
    const char *app = args_value(a, "app");
    *r = (spawn_request){.a = a, .options = gcast_compare_options_default(), .app = gcast_app_options_default()};
    r->is_all = app && strcmp(app, "all") == 0;
    r->options.exhaustive = args_has(a, "exhaustive");
    gcast_status status = read_choices(r);
    if (status == GCAST_OK)
        status = read_controller(a, &r->options.spawn);
    if (status == GCAST_OK)
        status = read_app(r);
    if (status == GCAST_OK)
        status = check_together(r);
    return status == GCAST_OK ? check_outputs(a) : status;
}
