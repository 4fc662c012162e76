#include "cli/completion/option_values.h"

#include <stdio.h>
#include <string.h>

#include "apps/data/input.h"
#include "cli/choices.h"
#include "cli/completion/file_endings.h"
#include "cli/completion/file_names.h"
#include "gridcast/gridcast.h"
#include "whatif/change/change_kind.h"

static void offer_presets(const completion_line *l)
{
    for (size_t i = 0; gcast_preset_name(i); i++)
        offer(l, gcast_preset_name(i));
}

static void offer_costs(const completion_line *l)
{
    for (size_t i = 0; gcast_preset_name(i); i++)
        if (gcast_cost_find(gcast_preset_name(i)))
            offer(l, gcast_preset_name(i));
}

static void offer_changes(const completion_line *l)
{
    offer(l, "sms=");
    for (size_t i = 0; gcast_preset_name(i); i++) {
        char change[80];
        snprintf(change, sizeof change, "gpu=%.70s", gcast_preset_name(i));
        offer(l, change);
    }
}

/* Changes of whatif, up to their values. */
static void offer_kinds_of_change(const completion_line *l)
{
    for (int i = 0; i < CHANGE_KINDS; i++)
        offer_with(l, change_kind_name((change_kind)i), i == CHANGE_GRAPHS || i == CHANGE_LAUNCHES ? "" : "=");
}

static void offer_benchmarks(const completion_line *l)
{
    offer(l, "all");
    for (size_t i = 0; i < gcast_benchmark_count(); i++)
        offer(l, gcast_benchmark_name(i));
}

static void offer_inputs(const completion_line *l)
{
    for (int i = 0; i < APP_FORMS; i++)
        offer_with(l, app_form_name((app_form)i), ":");
}

/* The buffers that --arg NAME=TYPE[COUNT]:FILL has made, on the line before. */
static void offer_buffers(const completion_line *l, const char *end)
{
    for (int i = 2; i + 1 < l->count; i++) {
        const char *word = l->words[i];
        char name[128];
        if (strncmp(word, "--arg=", 6) == 0)
            word += 6;
        else if (strcmp(l->words[i - 1], "--arg") != 0)
            continue;
        size_t length = strcspn(word, "=:");
        if (word[length] != '=' || length >= sizeof name)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        offer_with(l, name, end);
    }
}

static void offer_buffer_files(const completion_line *l)
{
    completion_line file = line_behind(l, '=');
    if (file.start != l->start)
        offer_files(&file, "files");
    else
        offer_buffers(l, "=");
}

static void offer_places(const completion_line *l)
{
    completion_line core = line_behind(l, '=');
    if (core.start == l->start) {
        offer_model_tasks(l, "=");
    } else {
        offer_model_cores(&core);
        offer(&core, "gpu");
    }
}

static void offer_objectives(const completion_line *l)
{
    completion_line chain = line_behind(l, ':');
    if (chain.start != l->start)
        offer_model_chains(&chain);
    else
        offer(l, "chain:");
}

static void offer_list_of_tasks(const completion_line *l)
{
    completion_line part = line_behind(l, ',');
    offer_model_tasks(&part, "");
}

static void offer_labels_with_times(const completion_line *l)
{
    offer_labels(l, "=", false);
}

static void offer_labels_and_tasks(const completion_line *l)
{
    offer_labels(l, "", true);
}

static void offer_families(const completion_line *l)
{
    offer_recorded(l, true);
}

static void offer_scenarios(const completion_line *l)
{
    offer_recorded(l, false);
}

static void offer_buffer_names(const completion_line *l)
{
    offer_buffers(l, "");
}

static void offer_fill(const completion_line *l)
{
    offer(l, "fill");
}

/* By the name in --help: what fits in addition to the words of cli/choices. */
static const struct {
    const char *value;
    void (*offers)(const completion_line *l); /* NULL: nothing but files and words */
    const char *files;                        /* names of these fit, too; NULL: they do not */
} kinds[] = {
    {"GPU", offer_presets, "files"},
    {"[NAME]", offer_presets, "files"},
    {"GPU[,REGS]", offer_costs, NULL},
    {"CHANGE", offer_changes, NULL},
    {"KIND=VALUE", offer_kinds_of_change, NULL},
    {"BENCHMARK", offer_benchmarks, NULL},
    {"TEXT", offer_inputs, NULL},
    {"LABEL", offer_labels_and_tasks, NULL},
    {"[LABEL[#JOB]", offer_labels_and_tasks, NULL},
    {"[LABEL[#JOB]]]", offer_labels_and_tasks, NULL},
    {"LABEL=TIME", offer_labels_with_times, NULL},
    {"[LABEL=]TIME", offer_labels_with_times, NULL},
    {"FAMILY", offer_families, NULL},
    {"SCENARIO", offer_scenarios, NULL},
    {"KERNEL", offer_kernels, NULL},
    {"NAME=FILE", offer_buffer_files, NULL},
    {"NAME[,COUNT]", offer_buffer_names, NULL},
    {"TASK=CORE", offer_places, NULL},
    {"A,B,C", offer_list_of_tasks, NULL},
    {"OBJECTIVE", offer_objectives, NULL},
    {"FILE|fill", offer_fill, "files"},
    {"DIR", NULL, "folders"},
    {"FILE", NULL, "files"},
    {"FILE.ptx", NULL, "files"},
    {"KIND|FILE", NULL, "files"},
    {"SPEC", NULL, "files"},
    {"WORKLOAD", NULL, "files"},
    {"WORKLOAD|MODEL.amxmi...", NULL, "files"},
    {"CORPUS...", NULL, "files"},
    {"PROFILE", NULL, "files"},
    {"PROGRAM", NULL, "files"},
    {"[ARGUMENT...]", NULL, "files"},
};

/* The words of a list, or of the last part of one where several may be given. */
static void offer_words(const completion_line *l, const char *value)
{
    choice *list = choices_of(value);
    bool several = list == policies_choices || list == map_choices;
    completion_line part = several ? line_behind(l, ',') : *l;
    for (int i = 0; list && list[i]; i++)
        offer_with(&part, list[i], list == durations_choices && i == GCAST_DURATIONS_RANDOM ? ":" : "");
}

void offer_value(const completion_line *l, const char *value, const char *text)
{
    offer_words(l, value);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].value, value) != 0)
            continue;
        if (kinds[i].offers)
            kinds[i].offers(l);
        if (kinds[i].files) {
            offer_endings(l, text);
            offer_files(l, kinds[i].files);
        }
    }
}
