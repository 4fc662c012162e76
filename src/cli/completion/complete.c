/* Candidates come from the commands' structs, the presets, and the files that the command line names already. */
#include "cli/completion/complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/command_table.h"
#include "cli/completion/completion_line.h"
#include "cli/completion/option_values.h"
#include "cli/completion/unquote.h"
#include "cli/output/extension.h"

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

/* The value of an option; what it writes of AMALTHEA models is in a text of their own. */
static void offer_option_value(const completion_line *l, const option_spec *o)
{
    const option_spec *of_models = command_shared(l->cmd, o->name);
    bool is_model = l->operand_count && path_ends_with(l->operands[0], ".amxmi");
    offer_value(l, o->value, is_model && of_models && of_models->text ? of_models->text : o->text);
}

/* Completes by the operand at this place of the usage line; the last operand there also stands for all further ones. */
static void offer_operand(const completion_line *l)
{
    char names[96], *rest = names, *next, *name = NULL;
    snprintf(names, sizeof names, "%s", l->cmd->operands);
    for (int i = 0; i <= l->operand_count && (next = strtok_r(rest, " ", &rest)); i++)
        name = next;
    if (name && (l->cmd->max_operands < 0 || l->operand_count < l->cmd->max_operands))
        offer_value(l, name, "");
}

/* After a command: the value of an option, an option, or an operand. */
static void offer_after_command(completion_line *l)
{
    const option_spec *without_value = NULL; /* the word before is this option, and its value is still missing */
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
            l->after_dashes = l->after_dashes || l->cmd->runs_operands; /* the rest is the program's */
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

/* In the place of a command. */
static void offer_commands(const completion_line *l)
{
    static const char *const options[] = {"--help", "--version", "--completion"};
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
