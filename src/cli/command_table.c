#include "cli/command_table.h"

#include <string.h>

#include "cli/args.h"

const command *const commands[] = {
#define X(id) &cmd_##id,
    COMMAND_TABLE(X)
#undef X
};
const size_t command_count = sizeof commands / sizeof commands[0];

const command *command_find(const char *name)
{
    for (size_t i = 0; i < command_count; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

void print_help(FILE *out)
{
    fprintf(
        out,
        "gridcast predicts when GPU kernels will finish, block by block.\n\nusage: gridcast COMMAND [options] ...\n\n");
    for (size_t i = 0; i < command_count; i++)
        fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(out, "\n  gridcast COMMAND --help          the options of a command, with examples\n"
                 "  gridcast --completion SHELL      completion script for bash, zsh or fish\n"
                 "  gridcast --schema [FORMAT]       keys of a result, with types and meanings\n"
                 "  gridcast --version\n\nexit status:\n");
#define X(name, value, text) fprintf(out, "  %-10d %s\n", value, text);
    GCAST_STATUS_TABLE(X)
#undef X
}

static void print_option(const option_spec *o, const char *words, FILE *out)
{
    char left[64];
    snprintf(left, sizeof left, "%s%c%s--%s%s%s", o->letter ? "-" : " ", o->letter ? o->letter : ' ',
             o->letter ? ", " : "  ", o->name, o->value ? " " : "", o->value ? o->value : "");
    fprintf(out, "  %-28s %s\n", left, words);
}

static bool is_system_option(const command *cmd, const option_spec *o)
{
    for (const option_spec *s = cmd->system_options; s && s->name; s++)
        if (s == o)
            return true;
    return false;
}

static void print_usage(const command *cmd, const char *operands, FILE *out)
{
    fprintf(out, "gridcast %s: %s\nusage: gridcast %s [options]%s%s\n\n", cmd->name, cmd->summary, cmd->name,
            *operands ? " " : "", operands);
}

void print_command_help(const command *cmd, FILE *out)
{
    const option_spec *o;
    print_usage(cmd, cmd->operands, out);
    for (size_t i = 0; (o = command_option(cmd, i)); i++)
        if (!is_system_option(cmd, o))
            print_option(o, o->text, out);
    for (const legend_entry *l = cmd->legend; l && l->word; l++)
        fprintf(out, "%s  %-8s %s\n", l == cmd->legend ? "\nin its tables:\n" : "", l->word, l->text);
    if (cmd->examples[1])
        fprintf(out, "\nexamples:\n  %s\n  %s\n", cmd->examples[0], cmd->examples[1]);
    else
        fprintf(out, "\nexample: %s\n", cmd->examples[0]);
    if (cmd->system_options)
        fprintf(out, "for AMALTHEA models: gridcast %s --help amalthea\n", cmd->name);
}

void print_system_help(const command *cmd, FILE *out)
{
    const option_spec *o;
    print_usage(cmd, "MODEL.amxmi... | FOLDER", out);
    for (const option_spec *s = cmd->system_options; s && s->name; s++)
        print_option(s, s->text, out);
    for (size_t i = 0; (o = command_option(cmd, i)); i++) {
        const option_spec *shared = command_shared(cmd, o->name);
        if (!is_system_option(cmd, o) && (shared || command_is_common(o)))
            print_option(o, shared && shared->text ? shared->text : o->text, out);
    }
    if (cmd->system_example)
        fprintf(out, "\nexample: %s\n", cmd->system_example);
}
