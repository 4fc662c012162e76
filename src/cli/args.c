#include "cli/args.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/mapping/mapping_score.h"
#include "base/integers.h"
#include "base/units.h"
#include "cli/component_names.h"
#include "cli/say.h"
#include "cli/suggest.h"
#include "gridcast/gridcast.h"
#include "model/launch_placement.h"
#include "model/system_answer.h"

bool read_digits(const char **at, uint64_t *number)
{
    char *end;
    if (**at < '0' || **at > '9')
        return false;
    errno = 0;
    *number = strtoull(*at, &end, 10);
    *at = end;
    return !errno;
}

#define X(id, name, text) name,
choice color_choices[] = {"auto", "always", "never", NULL};
choice method_choices[] = {"auto", GCAST_METHOD_TABLE(X) COMPONENT_METHOD, NULL}; /* in the order of gcast_method */
choice goal_choices[] = {GCAST_GOAL_TABLE(X) NULL};
choice durations_choices[] = {GCAST_DURATIONS_TABLE(X) NULL};
choice model_choices[] = {"threads", "stack", NULL}; /* in the order of gcast_simt_model, after BY_TARGET */
choice contract_choices[] = {"ptxas", "off", NULL};  /* in the order of gcast_simt_contract */
choice placement_choices[] = {GCAST_PLACEMENT_KIND_TABLE(X) NULL};
choice block_placement_choices[] = {"random", NULL}; /* of simulate and explain */
choice convert_choices[] = {"native", "examiner", NULL};
choice metric_choices[] = {"stp", "antt", NULL}; /* in the order of gcast_corun_goal */
choice shell_choices[] = {"bash", "zsh", "fish", NULL};
choice policies_choices[] = {"flat", "always", "offline", "spawn", "predict", NULL}; /* names of contenders */
choice idle_choices[] = {GCAST_SPAWN_IDLE_TABLE(X) NULL};
choice average_choices[] = {GCAST_SPAWN_AVERAGE_TABLE(X) NULL};
choice counters_choices[] = {GCAST_SPAWN_COUNTER_TABLE(X) NULL};
choice start_choices[] = {GCAST_SPAWN_START_TABLE(X) NULL};
choice child_stream_choices[] = {"child", "block", NULL};
choice communication_choices[] = {GCAST_COMMUNICATION_TABLE(X) NULL}; /* in the order of gcast_communication */
choice reaction_choices[] = {GCAST_REACTION_TABLE(X) NULL};           /* in the order of gcast_reaction */
choice contexts_choices[] = {"streams", "slices", NULL};              /* in the order of sys_sharing */
choice wait_choices[] = {"busy", "suspend", NULL};
choice map_choices[] = {"all", "core", "gpu", "priority", "wait", NULL}; /* all, or a list of the others */
choice objective_choices[] = {MAP_OBJECTIVE_TABLE(X) NULL};              /* in the order of map_objective_kind */
choice spans_choices[] = {"launch", "kernel", NULL};                     /* in the order of prof_durations */
choice events_choices[] = {"inferred", "told", NULL};                    /* in the order of prof_events */
#undef X

static const struct {
    const char *value;
    choice *list;
} word_lists[] = {
    {"WHEN", color_choices},          {"METHOD", method_choices},
    {"GOAL", goal_choices},           {"WHICH", durations_choices},
    {"MODEL", model_choices},         {"HOW", contract_choices},
    {"KIND|FILE", placement_choices}, {"PLACEMENT", block_placement_choices},
    {"FORMAT", convert_choices},      {"METRIC", metric_choices},
    {"SHELL", shell_choices},         {"POLICIES", policies_choices},
    {"IDLE", idle_choices},           {"AVERAGE", average_choices},
    {"COUNTERS", counters_choices},   {"STREAM", child_stream_choices},
    {"START", start_choices},         {"DATA", communication_choices},
    {"FROM", reaction_choices},       {"CONTEXTS", contexts_choices},
    {"WAIT", wait_choices},           {"WHAT", map_choices},
    {"OBJECTIVE", objective_choices}, {"SPANS", spans_choices},
    {"EVENTS", events_choices},
};

choice *choices_of(const char *value)
{
    for (size_t i = 0; value && i < sizeof word_lists / sizeof word_lists[0]; i++)
        if (strcmp(word_lists[i].value, value) == 0)
            return word_lists[i].list;
    return NULL;
}

int choice_find(choice *list, const char *word)
{
    for (int i = 0; list[i]; i++)
        if (strcmp(list[i], word) == 0)
            return i;
    return -1;
}

void choices_join(choice *list, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; list[i] && used < size; i++) {
        const char *separator = !i ? "" : list[i + 1] ? ", " : " or ";
        int n = snprintf(out + used, size - used, "%s%s", separator, list[i]);
        used += n > 0 ? (size_t)n : 0;
    }
}

#define LONG_OPTION 1000 /* getopt_long returns this + the index of an option given by its long name */

/* Every command takes these. */
static const option_spec common_options[] = {
    {"color", 0, "WHEN", "auto, always or never"},
    {"help", 'h', NULL, "show this help"},
    {NULL, 0, NULL, NULL},
};

const option_spec *command_option(const command *cmd, size_t i)
{
    static const option_spec none = {0};
    const option_spec *lists[] = {cmd->options, cmd->system_options, common_options};
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
        for (const option_spec *o = lists[k] ? lists[k] : &none; o->name; o++)
            if (i-- == 0)
                return o;
    return NULL;
}

const option_spec *command_shared(const command *cmd, const char *name)
{
    for (const option_spec *shared = cmd->shared_options; shared && shared->name; shared++)
        if (strcmp(shared->name, name) == 0)
            return shared;
    return NULL;
}

bool command_is_common(const option_spec *option)
{
    return option >= common_options && option < common_options + sizeof common_options / sizeof common_options[0];
}

/* Says that the command has no such option, and lists those that it abbreviates, or suggests the nearest. */
static gcast_status say_unknown(const command *cmd, const char *word)
{
    char name[64], list[256] = "";
    size_t length = strcspn(word, "="), abbreviated_count = 0, used = 0;
    snprintf(name, sizeof name, "%.*s", (int)min_size(length, sizeof name - 1), word);
    const char *without_dashes = name + strspn(name, "-");
    suggestion suggested = suggest_for(without_dashes);
    const option_spec *option;
    for (size_t i = 0; (option = command_option(cmd, i)); i++) {
        suggest_consider(&suggested, option->name);
        if (strncmp(word, "--", 2) != 0 || !*without_dashes ||
            strncmp(option->name, without_dashes, strlen(without_dashes)) != 0)
            continue;
        int n = snprintf(list + used, sizeof list - used, "%s--%s", abbreviated_count++ ? ", " : "", option->name);
        used = min_size(used + (size_t)n, sizeof list - 1);
    }
    if (abbreviated_count > 1)
        return say(GCAST_USAGE, "%s: %s may be any of %s", cmd->name, name, list);
    if (suggested.nearest)
        return say(GCAST_USAGE, "%s: unknown option %s; did you mean --%s?", cmd->name, name, suggested.nearest);
    return say(GCAST_USAGE, "%s: unknown option %s; gridcast %s --help lists them", cmd->name, name, cmd->name);
}

/* A command's options in the forms that getopt_long takes. */
typedef struct getopt_tables {
    struct option long_names[MAX_OPTIONS]; /* ended by an empty one */
    char letters[2 * MAX_OPTIONS + 3];
} getopt_tables;

static void fill_tables(const command *cmd, getopt_tables *tables)
{
    const option_spec *option;
    size_t used = 0;
    *tables = (getopt_tables){0};
    if (cmd->runs_operands)
        tables->letters[used++] = '+'; /* the first operand ends the options */
    tables->letters[used++] = ':';     /* a value that is missing returns ':' */
    for (size_t i = 0; (option = command_option(cmd, i)) && i < MAX_OPTIONS - 1; i++) {
        tables->long_names[i] =
            (struct option){option->name, option->value ? required_argument : no_argument, NULL, LONG_OPTION + (int)i};
        if (!option->letter)
            continue;
        tables->letters[used++] = option->letter;
        if (option->value)
            tables->letters[used++] = ':';
    }
}

/* The option that getopt_long's result stands for. */
static const option_spec *option_of_result(const command *cmd, int result)
{
    const option_spec *option;
    if (result >= LONG_OPTION)
        return command_option(cmd, (size_t)(result - LONG_OPTION));
    for (size_t i = 0; (option = command_option(cmd, i)); i++)
        if (option->letter == result)
            break;
    return option;
}

static gcast_status parse_options(const command *cmd, int argc, char **argv, args *a)
{
    getopt_tables tables;
    fill_tables(cmd, &tables);
    opterr = 0;
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, tables.letters, tables.long_names, NULL)) != -1;) {
        if (c == ':')
            return say(GCAST_USAGE, "%s: %s takes a value", cmd->name, argv[optind - 1]);
        if (c == '?' && optopt >= LONG_OPTION)
            return say(GCAST_USAGE, "%s: --%s takes no value", cmd->name, option_of_result(cmd, optopt)->name);
        if (c == '?')
            return say_unknown(cmd, optopt ? (char[]){'-', (char)optopt, 0} : argv[optind - 1]);
        if (a->given_count == MAX_OPTIONS)
            return say(GCAST_USAGE, "%s: more than %d options", cmd->name, MAX_OPTIONS);
        a->given[a->given_count].spec = option_of_result(cmd, c);
        a->given[a->given_count++].value = optarg;
    }
    return GCAST_OK;
}

gcast_status args_parse(const command *cmd, int argc, char **argv, args *a)
{
    *a = (args){.cmd = cmd, .argc = argc, .argv = argv};
    gcast_status status = parse_options(cmd, argc, argv, a);
    if (status != GCAST_OK)
        return status;
    a->operands = (const char *const *)argv + optind;
    a->operand_count = (size_t)(argc - optind);
    if (args_has(a, "help"))
        return GCAST_OK;
    if (a->operand_count < (size_t)cmd->min_operands ||
        (cmd->max_operands >= 0 && a->operand_count > (size_t)cmd->max_operands))
        return say(GCAST_USAGE, "usage: gridcast %s [options]%s%s", cmd->name, *cmd->operands ? " " : "",
                   cmd->operands);
    int color;
    return args_choice(a, "color", color_choices, &color);
}

bool args_is(const args *a, size_t i, const char *name)
{
    return strcmp(a->given[i].spec->name, name) == 0;
}

bool args_has(const args *a, const char *name)
{
    for (size_t i = 0; i < a->given_count; i++)
        if (args_is(a, i, name))
            return true;
    return false;
}

const char *args_value(const args *a, const char *name)
{
    for (size_t i = a->given_count; i-- > 0;)
        if (args_is(a, i, name))
            return a->given[i].value;
    return NULL;
}

gcast_status args_int(const args *a, const char *name, int64_t min, int64_t max, int64_t *out)
{
    const char *text = args_value(a, name);
    if (!text)
        return GCAST_OK;
    char *end;
    errno = 0;
    long long v = strtoll(text, &end, 10);
    if (end == text || *end || errno || v < min || v > max)
        return say(GCAST_USAGE, "--%s is a whole number from %lld to %lld, not %s", name, (long long)min,
                   (long long)max, text);
    *out = v;
    return GCAST_OK;
}

gcast_status args_dims(const args *a, const char *name, const uint32_t max[3], uint32_t out[3])
{
    const char *text = args_value(a, name), *at = text;
    if (!text)
        return say(GCAST_USAGE, "--%s is missing: X, or X,Y or X,Y,Z", name);
    out[0] = out[1] = out[2] = 1;
    for (int i = 0; i < 3; i++) {
        uint64_t v;
        if (!read_digits(&at, &v) || v < 1 || v > max[i] || (*at && (*at != ',' || i == 2)))
            return say(GCAST_USAGE, "--%s is X[,Y[,Z]] from 1,1,1 to %u,%u,%u, not %s", name, max[0], max[1], max[2],
                       text);
        out[i] = (uint32_t)v;
        if (!*at++)
            break;
    }
    return GCAST_OK;
}

gcast_status args_choice(const args *a, const char *name, choice *list, int *out)
{
    const char *word = args_value(a, name);
    int index = word ? choice_find(list, word) : 0;
    if (index < 0) {
        char words[200];
        choices_join(list, words, sizeof words);
        return say(GCAST_USAGE, "--%s is %s, not %s", name, words, word);
    }
    if (word)
        *out = index;
    return GCAST_OK;
}

gcast_status args_time(const args *a, const char *name, int64_t *out)
{
    const char *text = args_value(a, name);
    if (text && !units_parse_time(text, out))
        return say(GCAST_USAGE, "--%s is a time such as 10us, 1.5ms or 2s, not %s", name, text);
    return GCAST_OK;
}

gcast_status args_span(const args *a, const char *name, int64_t *out)
{
    gcast_status status = args_time(a, name, out);
    if (status == GCAST_OK && args_has(a, name) && (*out < 1 || *out > INT64_MAX / 4))
        return say(GCAST_USAGE, "--%s is a time of at least 1ns, and below 2^61 ns, not %s", name, args_value(a, name));
    return status;
}

gcast_status args_only(const args *a, const char *option, const char *const *allowed)
{
    for (size_t i = 0; i < a->given_count; i++) {
        size_t k = 0;
        while (allowed[k] && !args_is(a, i, allowed[k]))
            k++;
        if (!allowed[k])
            return say(GCAST_USAGE, "--%s cannot be used with --%s", a->given[i].spec->name, option);
    }
    return GCAST_OK;
}

bool want_color(const args *a)
{
    const char *mode = args_value(a, "color");
    if (mode && strcmp(mode, "auto") != 0)
        return strcmp(mode, "always") == 0;
    const char *no = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && !(no && *no);
}
