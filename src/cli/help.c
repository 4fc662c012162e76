/* --help and --completion, both from the commands' tables. */
#include <string.h>

#include "cli/command.h"

void print_help(FILE *out)
{
    fprintf(
        out,
        "gridcast tells when GPU kernels will finish, block by block.\n\nusage: gridcast COMMAND [options] ...\n\n");
    for (size_t i = 0; i < command_count; i++)
        fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(out, "\n  gridcast COMMAND --help          what a command takes, with examples\n"
                 "  gridcast --completion SHELL      for bash, zsh or fish\n"
                 "  gridcast --version\n\nexit status:\n");
#define X(name, value, text) fprintf(out, "  %-10d %s\n", value, text);
    GCAST_STATUS_TABLE(X)
#undef X
}

static void print_options(const option_spec *o, FILE *out)
{
    for (; o && o->name; o++) {
        char left[64];
        snprintf(left, sizeof left, "%s%c%s--%s%s%s", o->letter ? "-" : " ", o->letter ? o->letter : ' ',
                 o->letter ? ", " : "  ", o->name, o->value ? " " : "", o->value ? o->value : "");
        fprintf(out, "  %-28s %s\n", left, o->text);
    }
}

void print_command_help(const command *cmd, FILE *out)
{
    fprintf(out, "gridcast %s: %s\n\nusage: gridcast %s [options]%s%s\n\n", cmd->name, cmd->summary, cmd->name,
            *cmd->operands ? " " : "", cmd->operands);
    print_options(cmd->options, out);
    print_options(common_options, out);
    for (const legend_entry *l = cmd->legend; l && l->word; l++)
        fprintf(out, "%s  %-8s %s\n", l == cmd->legend ? "\nin its tables:\n" : "", l->word, l->text);
    fprintf(out, "\nexamples:\n  %s\n  %s\n", cmd->examples[0], cmd->examples[1]);
}

static void words(const option_spec *o, const char *prefix)
{
    for (; o && o->name; o++)
        printf("%s--%s", prefix, o->name);
}

static void complete_bash(void)
{
    printf("_gridcast() {\n  local cur=${COMP_WORDS[COMP_CWORD]} cmd=${COMP_WORDS[1]} words=\n"
           "  if [ \"$COMP_CWORD\" = 1 ]; then\n    words=\"--help --version --completion");
    for (size_t i = 0; i < command_count; i++)
        printf(" %s", commands[i]->name);
    printf("\"\n  else\n    case $cmd in\n");
    for (size_t i = 0; i < command_count; i++) {
        printf("      %s) words=\"", commands[i]->name);
        words(commands[i]->options, " ");
        words(common_options, " ");
        printf("\" ;;\n");
    }
    printf("    esac\n    case $cur in -*) ;; *) words= ;; esac\n  fi\n"
           "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
           "  [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- \"$cur\"))\n}\n"
           "complete -o filenames -F _gridcast gridcast\n");
}

/* Single quotes in help text would end a quoted word of the shell. */
static void quoted(const char *text)
{
    for (; *text; text++)
        putchar(strchr("'[]:\\", *text) ? ' ' : *text);
}

static void complete_zsh(void)
{
    printf("#compdef gridcast\n_gridcast() {\n  local -a commands\n  commands=(");
    for (size_t i = 0; i < command_count; i++) {
        printf("\n    '%s:", commands[i]->name);
        quoted(commands[i]->summary);
        printf("'");
    }
    printf(")\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n  case $words[2] in\n");
    for (size_t i = 0; i < command_count; i++) {
        const option_spec *tables[] = {commands[i]->options, common_options};
        printf("    %s) _arguments", commands[i]->name);
        for (size_t t = 0; t < 2; t++)
            for (const option_spec *o = tables[t]; o && o->name; o++) {
                printf(" '--%s%s[", o->name, o->value ? "=" : "");
                quoted(o->text);
                printf("]%s%s'", o->value ? ":" : "", o->value ? o->value : "");
            }
        printf(" '*:file:_files' ;;\n");
    }
    printf("  esac\n}\n_gridcast \"$@\"\n");
}

static void complete_fish(void)
{
    for (size_t i = 0; i < command_count; i++) {
        const option_spec *tables[] = {commands[i]->options, common_options};
        printf("complete -c gridcast -n __fish_use_subcommand -a %s -d '", commands[i]->name);
        quoted(commands[i]->summary);
        printf("'\n");
        for (size_t t = 0; t < 2; t++)
            for (const option_spec *o = tables[t]; o && o->name; o++) {
                printf("complete -c gridcast -n '__fish_seen_subcommand_from %s' -l %s%s -d '", commands[i]->name,
                       o->name, o->value ? " -r" : "");
                quoted(o->text);
                printf("'\n");
            }
    }
}

gcast_status print_completion(const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        complete_bash();
    else if (strcmp(shell, "zsh") == 0)
        complete_zsh();
    else if (strcmp(shell, "fish") == 0)
        complete_fish();
    else
        return say(GCAST_USAGE, "--completion takes bash, zsh or fish");
    return GCAST_OK;
}
