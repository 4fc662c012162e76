/* Candidates come from the commands' structs, the presets, and the files that the command line names already. */
#include "cli/completion/complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/command_table.h"
#include "cli/completion/unquote.h"

#define MAX_OPERANDS 16

typedef struct line {
    char **words;                       /* without quotes */
    int count;                          /* of words; the last one is to be completed */
    const char *start;                  /* what candidates must begin with: the last word, or its value after = */
    char prefix[80];                    /* what is printed before each candidate, such as "--gpu=" */
    const command *cmd;                 /* NULL: not known yet */
    const char *operands[MAX_OPERANDS]; /* the command's, before the last word */
    int operand_count;
} line;

/* A control character would split the line of a candidate or move the cursor. */
static bool can_be_typed(const char *word)
{
    for (; *word; word++)
        if ((unsigned char)*word < ' ' || *word == 0x7f)
            return false;
    return true;
}

static void offer_with(const line *l, const char *word, const char *end)
{
    if (strncmp(word, l->start, strlen(l->start)) == 0 && can_be_typed(word))
        printf("%s%s%s\n", l->prefix, word, end);
}

static void offer(const line *l, const char *word)
{
    offer_with(l, word, "");
}

static void offer_files(const line *l, const char *kind)
{
    printf("\t%s\t%s\n", kind, l->start);
}

static void offer_presets(const line *l, bool with_cost)
{
    const char *name;
    for (size_t i = 0; (name = gcast_preset_name(i)); i++)
        if (!with_cost || gcast_cost_find(name))
            offer(l, name);
}

/* The labels of the workload that the line names, each with `end` behind it; with `tasks` the names of its tasks, too.
 */
static void offer_labels(const line *l, const char *end, bool tasks)
{
    gcast_workload *w = NULL;
    gcast_error err;
    gcast_read_options options = gcast_read_options_default();
    options.iterations = 1;
    if (!l->operand_count || strcmp(l->operands[0], "-") == 0 ||
        gcast_workload_load(l->operands[0], &options, &w, &err) != GCAST_OK)
        return;
    for (size_t i = 0; i < w->op_count; i++)
        offer_with(l, w->ops[i].label, end);
    for (size_t i = 0; tasks && i < w->task_count; i++)
        offer(l, w->tasks[i].name);
    gcast_workload_free(w);
}

/* The scenarios of the corpora that the line names, or their families. Scenarios of one family follow each other, so
 * that a family is printed once. */
static void offer_recorded(const line *l, bool families)
{
    char last[256] = "";
    for (int i = 0; i < l->operand_count; i++) {
        gcast_corpus *corpus;
        gcast_scenario *s;
        gcast_error err;
        if (gcast_corpus_open(l->operands[i], &corpus, &err) != GCAST_OK)
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

static void offer_kernels(const line *l)
{
    gcast_ptx *ptx;
    gcast_error err;
    char *text;
    size_t size;
    if (!l->operand_count || strcmp(l->operands[0], "-") == 0 ||
        gcast_file_read(l->operands[0], &text, &size, &err) != GCAST_OK)
        return;
    if (gcast_ptx_parse(text, size, l->operands[0], &ptx, &err) == GCAST_OK) {
        for (uint32_t i = 0; i < gcast_ptx_kernels(ptx); i++)
            offer(l, gcast_ptx_kernel(ptx, i));
        gcast_ptx_free(ptx);
    }
    free(text);
}

/* The candidates for an option's value or an operand, by the name that --help has for it. */
static void offer_value(const line *l, const char *value)
{
    choice *list = choices_of(value);
    for (int i = 0; list && list[i]; i++)
        offer_with(l, list[i], list == durations_choices && i == GCAST_DURATIONS_RANDOM ? ":" : "");
    if (strcmp(value, "GPU") == 0 || strcmp(value, "[NAME]") == 0) {
        offer_presets(l, false);
        offer_files(l, "files");
    } else if (strcmp(value, "GPU[,REGS]") == 0) {
        offer_presets(l, true);
    } else if (strcmp(value, "CHANGE") == 0) {
        offer(l, "sms=");
        for (size_t i = 0; gcast_preset_name(i); i++) {
            char change[80];
            snprintf(change, sizeof change, "gpu=%.70s", gcast_preset_name(i));
            offer(l, change);
        }
    } else if (strcmp(value, "BENCHMARK") == 0) {
        offer(l, "all");
        for (size_t i = 0; i < gcast_benchmark_count(); i++)
            offer(l, gcast_benchmark_name(i));
    } else if (strcmp(value, "LABEL=TIME") == 0) {
        offer_labels(l, "=", false);
    } else if (strncmp(value, "LABEL", 5) == 0 || strncmp(value, "[LABEL", 6) == 0) {
        offer_labels(l, "", true);
    } else if (strcmp(value, "FAMILY") == 0 || strcmp(value, "SCENARIO") == 0) {
        offer_recorded(l, *value == 'F');
    } else if (strcmp(value, "KERNEL") == 0) {
        offer_kernels(l);
    } else if (strcmp(value, "FILE|fill") == 0) {
        offer(l, "fill");
        offer_files(l, "files");
    } else if (strcmp(value, "DIR") == 0) {
        offer_files(l, "folders");
    } else if (strcmp(value, "FILE") == 0 || strcmp(value, "FILE.ptx") == 0 || strncmp(value, "WORKLOAD", 8) == 0 ||
               strcmp(value, "SPEC") == 0 || strcmp(value, "CORPUS...") == 0 || strcmp(value, "KIND|FILE") == 0) {
        offer_files(l, "files");
    }
}

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

static void offer_options(const line *l)
{
    const option_spec *o;
    for (size_t i = 0; (o = command_option(l->cmd, i)); i++) {
        char word[64];
        snprintf(word, sizeof word, "--%s", o->name);
        offer(l, word);
    }
}

/* Completes by the operand at this place of the usage line; the last operand there also stands for all further ones. */
static void offer_operand(const line *l)
{
    char names[96], *rest = names, *next, *name = NULL;
    snprintf(names, sizeof names, "%s", l->cmd->operands);
    for (int i = 0; i <= l->operand_count && (next = strtok_r(rest, " ", &rest)); i++)
        name = next;
    if (name && (l->cmd->max_operands < 0 || l->operand_count < l->cmd->max_operands))
        offer_value(l, name);
}

/* After a command: the value of an option, an option, or an operand. */
static void offer_after_command(line *l)
{
    const option_spec *without_value = NULL; /* the word before is this option, and its value is still missing */
    bool may_be_option = true;               /* no -- came before */
    for (int i = 2; i + 1 < l->count; i++) {
        const char *word = l->words[i];
        if (without_value) {
            without_value = NULL;
        } else if (may_be_option && strcmp(word, "--") == 0) {
            may_be_option = false;
        } else if (may_be_option && *word == '-' && word[1]) {
            const option_spec *o = find_option(l->cmd, word);
            without_value = o && o->value && !strchr(word, '=') ? o : NULL;
        } else if (l->operand_count < MAX_OPERANDS) {
            l->operands[l->operand_count++] = word;
        }
    }
    char *equals = strchr(l->start, '=');
    if (without_value) {
        offer_value(l, without_value->value);
    } else if (may_be_option && strncmp(l->start, "--", 2) == 0 && equals) {
        const option_spec *o = find_option(l->cmd, l->start);
        snprintf(l->prefix, sizeof l->prefix, "%.*s", (int)(equals + 1 - l->start), l->start);
        l->start = equals + 1;
        if (o && o->value)
            offer_value(l, o->value);
    } else if (may_be_option && *l->start == '-') {
        offer_options(l);
    } else {
        offer_operand(l);
    }
}

/* In the place of a command. */
static void offer_commands(const line *l)
{
    static const char *const options[] = {"--help", "--version", "--completion"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        offer(l, options[i]);
    for (size_t i = 0; i < command_count; i++)
        offer(l, commands[i]->name);
}

static void offer_all(line *l)
{
    const char *first = l->words[1];
    l->start = l->words[l->count - 1];
    if (l->count == 2) {
        offer_commands(l);
    } else if (l->count == 3 && strcmp(first, "--completion") == 0) {
        offer_value(l, "SHELL");
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
    bool all_quoted = strcmp(words[0], "bash") == 0, last_quoted = strcmp(words[0], "fish") == 0;
    line l = {.count = count - 1, .prefix = "", .words = calloc((size_t)count, sizeof *l.words)};
    bool ok = l.words != NULL;
    for (int i = 0; i < l.count && ok; i++) {
        bool is_quoted = all_quoted || (last_quoted && i + 1 == l.count);
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
