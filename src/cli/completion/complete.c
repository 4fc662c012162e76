#include "cli/completion/complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "amalthea/amalthea.h"
#include "change/change.h"
#include "cli/args.h"
#include "cli/command.h"
#include "cli/command_table.h"
#include "cli/completion/unquote.h"
#include "cli/components.h"
#include "cli/output/output.h"
#include "gridcast/gridcast.h"
#include "gridcast/names.h"
#include "gridcast/report.h"
#include "model/cost.h"
#include "model/scenario.h"
#include "report/format_names.h"

/* The command line, and candidates for its last word. */

#define LINE_OPERANDS 16 /* operands that are looked at */

typedef struct completion_line {
    char **words;       /* without quotes */
    int count;          /* of words; the last one is completed */
    bool whole_words;   /* the shell wants "--gpu=h200"; else only what is behind the = of an option */
    const char *option; /* the first option_length characters are printed before each candidate: "--gpu=", or none */
    int option_length;
    const char *typed; /* so are the first typed_length characters: parts of the value, such as "flat," of flat,spawn */
    int typed_length;
    const char *start;                   /* candidates must begin so: the rest of the last word */
    const command *cmd;                  /* NULL: not known yet */
    const char *operands[LINE_OPERANDS]; /* operands before the last word */
    int operand_count;                   /* how many they are */
    bool after_dashes;                   /* a -- came before, so operands may begin with - */
    bool may_be_option;                  /* the last word is the first one, or an option's value: it may begin with - */
} completion_line;

/* A control character would split the line of a candidate or move the cursor. */
static bool can_be_typed(const char *word)
{
    for (; *word; word++)
        if ((unsigned char)*word < ' ' || *word == 0x7f)
            return false;
    return true;
}

static void print_typed(const completion_line *l)
{
    printf("%.*s%.*s", l->whole_words ? l->option_length : 0, l->option, l->typed_length, l->typed);
}

/* Prints a candidate if it begins as the last word does, with `end` behind it, such as "=". */
static void offer_with(const completion_line *l, const char *word, const char *end)
{
    /* an operand that begins with - would be an option */
    bool can_be_operand = *word != '-' || *l->start == '-' || l->may_be_option || l->after_dashes || l->typed_length;
    if (strncmp(word, l->start, strlen(l->start)) != 0 || !can_be_typed(word) || !can_be_operand)
        return;
    print_typed(l);
    printf("%s%s\n", word, end);
}

static void offer(const completion_line *l, const char *word)
{
    offer_with(l, word, "");
}

/* Says that names of files fit; with kind "folders" names of folders. */
static void offer_files(const completion_line *l, const char *kind)
{
    if (!can_be_typed(l->start) || !can_be_typed(l->typed))
        return;
    printf("\t%s\t", kind);
    print_typed(l);
    printf("\t%s\n", l->start);
}

/* Parts of a value are completed one by one: the line with the part behind the last `separator`; what comes before
 * stays as typed. */
static completion_line line_behind(const completion_line *l, char separator)
{
    completion_line rest = *l;
    const char *last = strrchr(l->start, separator);
    if (last) {
        rest.typed_length += (int)(last + 1 - l->start);
        rest.start = last + 1;
    }
    return rest;
}

/* The ending of a file that an option writes says the format. */

/* Offers the typed name with the whole ending if it ends with a part of it, which begins with a dot. */
static void offer_ending(const completion_line *l, const char *ending)
{
    const char *slash = strrchr(l->start, '/'), *dot = strchr(slash ? slash + 1 : l->start, '.');
    char name[1024];
    for (; dot; dot = strchr(dot + 1, '.')) {
        bool has_stem = dot > l->start && dot[-1] != '/';
        if (!has_stem || strncmp(dot, ending, strlen(dot)) != 0)
            continue;
        int length = snprintf(name, sizeof name, "%.*s%s", (int)(dot - l->start), l->start, ending);
        if (length > 0 && (size_t)length < sizeof name &&
            access(name, F_OK) != 0) /* a file that exists is offered as a file */
            offer(l, name);
        return;
    }
}

/* Offers all formats of a run, which are more than fit in a line of --help. */
static void offer_formats(const completion_line *l)
{
    for (int i = 0; i < GCAST_FORMATS; i++) {
        char ending[64];
        gcast_format found;
        bool gzip;
        const char *plain = gcast_name(GCAST_NAMES_FORMAT, (gcast_format)i);
        if (!gcast_format_available((gcast_format)i))
            continue;
        offer_ending(l, plain);
        snprintf(ending, sizeof ending, "%s.gz", plain);
        if (gcast_format_from_file(ending, &found, &gzip))
            offer_ending(l, ending);
    }
}

/* Completes "timeline.s" to "timeline.svg" by the endings in an option's line of --help. */
static void offer_endings(const completion_line *l, const char *help)
{
    if (strstr(help, ".trace.json")) {
        offer_formats(l);
        return;
    }
    for (const char *p = help; (p = strchr(p, '.')); p++) {
        char ending[32];
        size_t length = 1 + strspn(p + 1, "abcdefghijklmnopqrstuvwxyz.");
        bool is_word = (p == help || p[-1] == ' ') && length > 1 && length < sizeof ending;
        gcast_format format;
        if (!is_word)
            continue;
        snprintf(ending, sizeof ending, "%.*s", (int)length, p);
        if (gcast_format_from_name(ending, &format) && !gcast_format_available(format))
            continue;
        offer_ending(l, ending);
    }
}

/* Labels, kernels, tasks and recorded scenarios are names in the files on the command line. A file that cannot be read
 * offers none; nobody would read an error. */

/* Pipes and devices are not read: they may never end, or be meant for somebody else. */
static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* The labels of the first operand, each with `end` behind it; with `tasks` also the names of its tasks. */
static void offer_labels(const completion_line *l, const char *end, bool tasks)
{
    gcast_workload *w = NULL;
    gcast_error err;
    gcast_read_options options = gcast_read_options_default();
    options.iterations = 1;
    if (!l->operand_count || !is_file(l->operands[0]) ||
        gcast_workload_load(l->operands[0], &options, &w, &err) != GCAST_OK)
        return;
    for (size_t i = 0; i < w->op_count; i++)
        offer_with(l, w->ops[i].label, end);
    for (size_t i = 0; tasks && i < w->task_count; i++)
        offer(l, w->tasks[i].name);
    gcast_workload_free(w);
}

/* The scenarios of corpora, or their families, each printed once since scenarios of a family follow each other. */
static void offer_recorded(const completion_line *l, bool families)
{
    char last[256] = "";
    for (int i = 0; i < l->operand_count; i++) {
        gcast_corpus *corpus;
        gcast_scenario *s;
        gcast_error err;
        if (!is_file(l->operands[i]) || gcast_corpus_open(l->operands[i], &corpus, &err) != GCAST_OK)
            continue;
        while (gcast_corpus_next(corpus, &s, &err) == GCAST_OK && s) {
            const char *name = families ? s->family : s->workload->name;
            if (!families || strcmp(name, last) != 0)
                offer(l, name);
            snprintf(last, sizeof last, "%s", name);
            gcast_scenario_free(s);
        }
        gcast_corpus_close(corpus);
    }
}

/* The kernels of a PTX file. */
static void offer_kernels(const completion_line *l)
{
    gcast_ptx *ptx;
    gcast_error err;
    char *source;
    size_t size;
    if (!l->operand_count || !is_file(l->operands[0]) ||
        gcast_file_read(l->operands[0], &source, &size, &err) != GCAST_OK)
        return;
    if (gcast_ptx_parse(source, size, l->operands[0], &ptx, &err) == GCAST_OK) {
        for (uint32_t i = 0; i < gcast_ptx_kernels(ptx); i++)
            offer(l, gcast_ptx_kernel(ptx, i));
        gcast_ptx_free(ptx);
    }
    free(source);
}

/* The model of the operands; NULL: there is none. */
static am_model *read_model(const completion_line *l)
{
    am_model *m = NULL;
    gcast_error err;
    struct stat st;
    for (int i = 0; i < l->operand_count; i++)
        if (stat(l->operands[i], &st) != 0 || !(S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
            return NULL;
    if (!l->operand_count || amalthea_read(l->operands, (size_t)l->operand_count, &m, &err) != GCAST_OK)
        return NULL;
    return m;
}

/* AMALTHEA models have tasks, processing units and chains. */
static void offer_model_tasks(const completion_line *l, const char *end)
{
    am_model *m = read_model(l);
    for (size_t i = 0; m && i < m->task_count; i++)
        offer_with(l, m->tasks[i].name, end);
    if (m)
        amalthea_free(m);
}

static void offer_model_cores(const completion_line *l)
{
    am_model *m = read_model(l);
    for (size_t i = 0; m && i < m->unit_count; i++)
        if (m->units[i].kind == AM_UNIT_PROCESSOR)
            offer(l, m->units[i].name);
    if (m)
        amalthea_free(m);
}

static void offer_model_chains(const completion_line *l)
{
    am_model *m = read_model(l);
    for (size_t i = 0; m && i < m->chain_count; i++)
        offer(l, m->chains[i].name);
    for (size_t i = 0; m && i < m->process_chain_count; i++)
        offer(l, m->process_chains[i].name);
    if (m)
        amalthea_free(m);
}

/* Each kind of value or operand has its candidates. */

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
        char given[80];
        snprintf(given, sizeof given, "gpu=%.70s", gcast_preset_name(i));
        offer(l, given);
    }
}

/* Changes of whatif, without their values. */
static void offer_kinds_of_change(const completion_line *l)
{
    for (int i = 0; i < CHANGE_WRITTEN_KINDS; i++)
        offer_with(l, change_kind_name((change_kind)i), i == CHANGE_GRAPHS || i == CHANGE_LAUNCHES ? "" : "=");
}

static void offer_benchmarks(const completion_line *l)
{
    offer(l, "all");
    for (size_t i = 0; component_apps.benchmark(i); i++)
        offer(l, component_apps.benchmark(i));
}

static void offer_inputs(const completion_line *l)
{
    for (size_t i = 0; component_apps.input_form(i); i++)
        offer_with(l, component_apps.input_form(i), ":");
}

/* The buffers that an --arg NAME=TYPE[COUNT]:FILL earlier on the line makes. */
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

/* Candidates in addition to the words of options, by the name of the value in --help. */
static const struct {
    const char *value;                        /* the name */
    void (*offers)(const completion_line *l); /* prints candidates; NULL: none but words and files */
    const char *files;                        /* "files" or "folders" fit, too; NULL: neither */
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

/* Offers the words of an option; where several may be given, for the last of them. */
static void offer_words(const completion_line *l, const char *value)
{
    choice *list = choices_of(value);
    bool several = list == policies_choices || list == map_choices;
    completion_line part = several ? line_behind(l, ',') : *l;
    for (int i = 0; list && list[i]; i++)
        offer_with(&part, list[i], list == durations_choices && i == GCAST_DURATIONS_RANDOM ? ":" : "");
}

/* Prints the candidates for what --help calls `value`, such as "GPU". `written`, an option's line of --help, names the
 * endings of its files; "": there is none. */
static void offer_value(const completion_line *l, const char *value, const char *written)
{
    offer_words(l, value);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].value, value) != 0)
            continue;
        if (kinds[i].offers)
            kinds[i].offers(l);
        if (kinds[i].files) {
            offer_endings(l, written);
            offer_files(l, kinds[i].files);
        }
    }
}

/* The words before the last one say what kind of word it is. */

/* The option that a word names, such as -o, --gpu or --gpu=h200; NULL: none. */
static const option_spec *find_option(const command *cmd, const char *word)
{
    const option_spec *o;
    for (size_t i = 0; (o = command_option(cmd, i)); i++) {
        size_t length = strlen(o->name);
        if (word[1] == '-' ? strncmp(word + 2, o->name, length) == 0 && (!word[2 + length] || word[2 + length] == '=')
                           : o->letter && word[1] == o->letter && !word[2])
            break;
    }
    return o;
}

static void offer_options(const completion_line *l)
{
    const option_spec *o;
    for (size_t i = 0; (o = command_option(l->cmd, i)); i++) {
        char word[64] = "--";
        strncat(word, o->name, sizeof word - 3);
        offer(l, word);
    }
}

/* The value of an option, which may have another text, with other endings of files, for AMALTHEA models. */
static void offer_option_value(const completion_line *l, const option_spec *o)
{
    const option_spec *of_models = command_shared(l->cmd, o->name);
    bool is_model = l->operand_count && path_ends_with(l->operands[0], ".amxmi");
    offer_value(l, o->value, is_model && of_models && of_models->text ? of_models->text : o->text);
}

/* Completes by the operand at this place of the usage line; the last one there also stands for all further operands. */
static void offer_operand(const completion_line *l)
{
    char names[96], *rest = names, *next, *name = NULL;
    snprintf(names, sizeof names, "%s", l->cmd->operands);
    for (int i = 0; i <= l->operand_count && (next = strtok_r(rest, " ", &rest)); i++)
        name = next;
    if (name && (l->cmd->max_operands < 0 || l->operand_count < l->cmd->max_operands))
        offer_value(l, name, "");
}

/* After a command comes an option, the value of an option, or an operand. */
static void offer_after_command(completion_line *l)
{
    const option_spec *without_value = NULL; /* the word before is this option; its value is missing */
    for (int i = 2; i + 1 < l->count; i++) {
        const char *word = l->words[i];
        if (without_value) {
            without_value = NULL;
        } else if (!l->after_dashes && strcmp(word, "--") == 0) {
            l->after_dashes = true;
        } else if (!l->after_dashes && *word == '-' && word[1]) {
            const option_spec *o = find_option(l->cmd, word);
            without_value = o && o->value && !strchr(word, '=') ? o : NULL;
        } else if (l->operand_count < LINE_OPERANDS) {
            l->operands[l->operand_count++] = word;
            l->after_dashes = l->after_dashes || l->cmd->runs_operands; /* the rest belongs to the program */
        }
    }
    char *equals = strchr(l->start, '=');
    if (without_value) {
        l->may_be_option = true;
        offer_option_value(l, without_value);
    } else if (!l->after_dashes && strncmp(l->start, "--", 2) == 0 && equals) {
        const option_spec *o = find_option(l->cmd, l->start);
        l->option_length = (int)(equals + 1 - l->start);
        l->start = l->typed = equals + 1;
        l->may_be_option = true;
        if (o && o->value)
            offer_option_value(l, o);
    } else if (!l->after_dashes && *l->start == '-') {
        offer_options(l);
    } else {
        offer_operand(l);
    }
}

static void offer_commands(const completion_line *l)
{
    static const char *const options[] = {"--help", "--version", "--schema", "--completion"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        offer(l, options[i]);
    for (size_t i = 0; i < command_count; i++)
        offer(l, commands[i]->name);
}

static void offer_all(completion_line *l)
{
    const char *first = l->words[1];
    l->start = l->typed = l->option = l->words[l->count - 1];
    l->may_be_option = l->count == 2;
    if (l->count == 2) {
        offer_commands(l);
    } else if (l->count == 3 && strcmp(first, "--completion") == 0) {
        offer_value(l, "SHELL", "");
    } else if (l->count == 3 && (strcmp(first, "help") == 0 || strcmp(first, "--help") == 0)) {
        for (size_t i = 0; i < command_count; i++)
            offer(l, commands[i]->name);
    } else if ((l->cmd = command_find(first))) {
        offer_after_command(l);
    }
}

gcast_status complete_words(int count, char **words)
{
    if (count < 3)
        return GCAST_OK;
    const char *form = words[0];
    bool is_fish = strcmp(form, "fish") == 0, is_zsh = strcmp(form, "zsh") == 0, is_bash = strcmp(form, "bash") == 0;
    completion_line l = {
        .count = count - 1, .whole_words = !is_fish && !is_zsh, .words = calloc((size_t)count, sizeof *l.words)};
    bool ok = l.words != NULL;
    for (int i = 0; i < l.count && ok; i++) {
        bool is_quoted = is_bash || is_zsh || (is_fish && i + 1 == l.count);
        l.words[i] = is_quoted ? complete_unquote(words[i + 1]) : strdup(words[i + 1]);
        ok = l.words[i] != NULL;
    }
    if (ok)
        offer_all(&l);
    for (int i = 0; l.words && i < l.count; i++)
        free(l.words[i]);
    free(l.words);
    return ok ? GCAST_OK : GCAST_RESOURCE;
}
