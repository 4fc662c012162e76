/* The options are written into the scripts; what a value may be, the scripts ask `gridcast --complete`. */
#include "cli/completion/scripts.h"

#include <stdio.h>
#include <string.h>

#include "cli/args.h"
#include "cli/command_table.h"
#include "cli/say.h"

static const char bash[] =
    "# bash completion of gridcast; bash 4 or newer\n"
    "_gridcast() {\n"
    "  local words=(\"${COMP_WORDS[@]:0:COMP_CWORD}\") cur=${COMP_WORDS[COMP_CWORD]} before= n line name\n"
    "  # readline cuts words at = and :, and puts only what is behind the last one in place\n"
    "  case $cur in\n"
    "    [=:]) n=$((${#words[@]} - 1)); cur=${words[n]}$cur before=$cur; words=(\"${words[@]:0:n}\") ;;\n"
    "  esac\n"
    "  while [ ${#words[@]} -gt 2 ]; do\n"
    "    n=${#words[@]}\n"
    "    case ${words[n - 1]} in\n"
    "      [=:]) before=${words[n - 2]}${words[n - 1]}$before cur=${words[n - 2]}${words[n - 1]}$cur\n"
    "            words=(\"${words[@]:0:n - 2}\") ;;\n"
    "      *) break ;;\n"
    "    esac\n"
    "  done\n"
    "  COMPREPLY=()\n"
    "  while IFS= read -r line; do\n"
    "    case $line in\n"
    "      $'\\tfiles\\t'*) while IFS= read -r name; do COMPREPLY+=(\"$name\"); done \\\n"
    "        < <(compgen -f -- \"${line#$'\\tfiles\\t'}\") ;;\n"
    "      $'\\tfolders\\t'*) while IFS= read -r name; do COMPREPLY+=(\"$name\"); done \\\n"
    "        < <(compgen -d -- \"${line#$'\\tfolders\\t'}\") ;;\n"
    "      \"$before\"*) COMPREPLY+=(\"${line#\"$before\"}\") ;;\n"
    "      *) COMPREPLY+=(\"$line\") ;;\n"
    "    esac\n"
    "  done < <(\"${COMP_WORDS[0]/#\\~/$HOME}\" --complete bash \"${words[@]}\" \"$cur\" 2>/dev/null)\n"
    "  case ${COMPREPLY[0]-} in *[=:]) [ ${#COMPREPLY[@]} != 1 ] || compopt -o nospace 2>/dev/null ;; esac\n"
    "}\n"
    "complete -o filenames -o bashdefault -o default -F _gridcast gridcast\n";

/* Prints a text in single quotes; characters that a shell would act on there become spaces. */
static void print_quoted(const char *text)
{
    for (; *text; text++)
        putchar(strchr("'[]:\\", *text) ? ' ' : *text);
}

static void print_zsh(void)
{
    printf("#compdef gridcast\n"
           "_gridcast_values() {\n"
           "  local line\n  local -a found\n"
           "  while IFS= read -r line; do\n"
           "    case $line in\n"
           "      $'\\tfiles\\t'*) _files ;;\n"
           "      $'\\tfolders\\t'*) _files -/ ;;\n"
           "      *) found+=(\"${line#--*=}\") ;;\n"
           "    esac\n"
           "  done < <(\"${(Q)line_words[1]}\" --complete bash \"${line_words[@]}\" 2>/dev/null)\n"
           "  (( $#found )) && compadd -a found\n"
           "}\n"
           "_gridcast() {\n  local -a commands line_words\n  line_words=(\"${(@)words[1,CURRENT]}\")\n  commands=(");
    for (size_t i = 0; i < command_count; i++) {
        printf("\n    '%s:", commands[i]->name);
        print_quoted(commands[i]->summary);
        printf("'");
    }
    printf(")\n  if (( CURRENT == 2 )); then\n    _describe command commands\n"
           "    compadd -- --help --version --completion\n    return\n  fi\n  case $words[2] in\n");
    for (size_t i = 0; i < command_count; i++) {
        const option_spec *o;
        printf("    %s) _arguments", commands[i]->name);
        for (size_t k = 0; (o = command_option(commands[i], k)); k++) {
            printf(" '--%s%s[", o->name, o->value ? "=" : "");
            print_quoted(o->text);
            printf("]%s", o->value ? ":" : "");
            print_quoted(o->value ? o->value : "");
            printf("%s'", o->value ? ":_gridcast_values" : "");
        }
        printf(" '*:operand:_gridcast_values' ;;\n");
    }
    printf("    *) _gridcast_values ;;\n  esac\n}\n_gridcast \"$@\"\n");
}

static void print_fish(void)
{
    printf("function __gridcast_values\n"
           "  set -l words (commandline -opc) (commandline -ct)\n"
           "  for line in ($words[1] --complete fish $words 2>/dev/null)\n"
           "    switch $line\n"
           "      case \\t'files'\\t'*'\n        __fish_complete_path (string replace -r '^--[^=]*=' '' -- "
           "(commandline -ct))\n"
           "      case \\t'folders'\\t'*'\n        __fish_complete_directories (string replace -r '^--[^=]*=' '' -- "
           "(commandline -ct))\n"
           "      case '*'\n        string replace -r '^--[^=]*=' '' -- $line\n"
           "    end\n  end\nend\n"
           "complete -c gridcast -f\n"
           "complete -c gridcast -n 'not __fish_use_subcommand' -a '(__gridcast_values)'\n"
           "complete -c gridcast -n __fish_use_subcommand -l help\n"
           "complete -c gridcast -n __fish_use_subcommand -l version\n"
           "complete -c gridcast -n __fish_use_subcommand -l completion -x -a '(__gridcast_values)'\n");
    for (size_t i = 0; i < command_count; i++) {
        const option_spec *o;
        printf("complete -c gridcast -n __fish_use_subcommand -a %s -d '", commands[i]->name);
        print_quoted(commands[i]->summary);
        printf("'\n");
        for (size_t k = 0; (o = command_option(commands[i], k)); k++) {
            printf("complete -c gridcast -n '__fish_seen_subcommand_from %s' -l %s%s -d '", commands[i]->name, o->name,
                   o->value ? " -x -a '(__gridcast_values)'" : "");
            print_quoted(o->text);
            printf("'\n");
        }
    }
}

gcast_status print_completion(const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        fputs(bash, stdout);
    else if (strcmp(shell, "zsh") == 0)
        print_zsh();
    else if (strcmp(shell, "fish") == 0)
        print_fish();
    else
        return say(GCAST_USAGE, "--completion takes bash, zsh or fish");
    return GCAST_OK;
}
