#include "cli/completion/completion_scripts.h"

#include <stdio.h>
#include <string.h>

#include "cli/args.h"
#include "cli/command_table.h"
#include "cli/say.h"

/* The scripts contain the options; for values they ask `gridcast --complete`. */

static const char bash[] =
    "# bash completion of gridcast; bash 4 or newer\n"
    "_gridcast() {\n"
    "  local text=${COMP_LINE:0:COMP_POINT} words=() cur before= n=-1 i rest line name\n"
    "  # readline cuts words at = and :, and puts only what is behind the last one in place\n"
    "  for ((i = 0; i <= COMP_CWORD; i++)); do\n"
    "    rest=${text#\"${text%%[![:space:]]*}\"} cur=${COMP_WORDS[i]}\n"
    "    [ $i = $COMP_CWORD ] && cur=$rest\n"
    "    if [ $i -gt 0 ] && [ \"$rest\" = \"$text\" ]; then before=${words[n]} words[n]+=$cur\n"
    "    else before= n=$((n + 1)) words[n]=$cur; fi\n"
    "    text=${rest#\"$cur\"}\n"
    "  done\n"
    "  case $cur in *[!=:]*) ;; *) before=${words[n]} ;; esac\n"
    "  before=${before//[\\\\\\\"\\']/}\n"
    "  local kind prefix start files=\n"
    "  COMPREPLY=()\n"
    "  while IFS= read -r line; do\n"
    "    case $line in\n"
    "      $'\\t'*) line=${line#?} kind=${line%%$'\\t'*} line=${line#*$'\\t'}\n"
    "        prefix=${line%%$'\\t'*} start=${line#*$'\\t'} files=1\n"
    "        [ $kind = files ] && kind=-f || kind=-d\n"
    "        while IFS= read -r name; do COMPREPLY+=(\"${prefix#\"$before\"}$name\"); done \\\n"
    "          < <(compgen $kind -- \"$start\") ;;\n"
    "      *) COMPREPLY+=(\"${line#\"$before\"}\") ;;\n"
    "    esac\n"
    "  done < <(\"${COMP_WORDS[0]/#\\~/$HOME}\" --complete bash \"${words[@]}\" 2>/dev/null)\n"
    "  case ${COMPREPLY[0]-} in *[=:]) [ ${#COMPREPLY[@]} != 1 ] || compopt -o nospace 2>/dev/null ;; esac\n"
    "  [ -n \"$files\" ] && return\n"
    "  # names of files are quoted by readline, which puts a / behind those of folders, too; here words are no files\n"
    "  compopt +o default +o bashdefault 2>/dev/null\n"
    "  case $cur in\n"
    "    [\\'\\\"]*) ;; # in quotes readline knows best\n"
    "    *) compopt +o filenames 2>/dev/null\n"
    "      for i in \"${!COMPREPLY[@]}\"; do\n"
    "        case ${COMPREPLY[i]} in\n"
    "          *[!A-Za-z0-9_./=:,+-]*) printf -v 'COMPREPLY[i]' %q \"${COMPREPLY[i]}\" ;;\n"
    "        esac\n"
    "      done ;;\n"
    "  esac\n"
    "}\n"
    "complete -o filenames -o bashdefault -o default -F _gridcast gridcast\n";

/* Prints a text for single quotes of a shell: `quote` for a quote, and a backslash before `escaped` characters. */
static void print_quoted(const char *text, const char *escaped, const char *quote)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs(quote, stdout);
        else
            printf(strchr(escaped, *text) ? "\\%c" : "%c", *text);
    }
}

#define ZSH_QUOTE "'\\''" /* a single quote in single quotes: ends them, and begins them again */
#define FISH_QUOTE "\\'"

/* An option of zsh's _arguments; it may be given several times. */
static void print_zsh_option(const option_spec *o)
{
    char letter[] = {'-', o->letter, '\0'};
    for (int is_short = o->letter ? 1 : 0; is_short >= 0; is_short--) {
        printf(" '*%s%s%s[", is_short ? letter : "--", is_short ? "" : o->name, o->value && !is_short ? "=" : "");
        print_quoted(o->text, "[]\\", ZSH_QUOTE);
        printf("]%s", o->value ? ":" : "");
        print_quoted(o->value ? o->value : "", ":\\", ZSH_QUOTE);
        printf("%s'", o->value ? ":_gridcast_values" : "");
    }
}

static void print_zsh(void)
{
    printf("#compdef gridcast\n"
           "_gridcast_values() {\n"
           "  local line before\n  local -i status_=1\n  local -a found open\n"
           "  while IFS= read -r line; do\n"
           "    case $line in\n"
           "      $'\\t'*) before=${${line#$'\\t'*$'\\t'}%%%%$'\\t'*}\n"
           "        [[ -z $before ]] || compset -P \"${(b)before}\"\n"
           "        if [[ $line == $'\\tfolders'* ]]; then _files -/; else _files; fi && status_=0 ;;\n"
           "      *[=:]) open+=(\"$line\") ;;\n"
           "      *) found+=(\"$line\") ;;\n"
           "    esac\n"
           "  done < <(\"${${(Q)line_words[1]}/#\\~\\//$HOME/}\" --complete zsh \"${line_words[@]}\" 2>/dev/null)\n"
           "  (( $#open )) && compadd -S '' -a -- open && status_=0\n"
           "  (( $#found )) && compadd -a -- found && status_=0\n"
           "  return status_\n"
           "}\n"
           "_gridcast() {\n  local -a commands line_words\n  line_words=(\"${(@)words[1,CURRENT]}\")\n  commands=(");
    for (size_t i = 0; i < command_count; i++) {
        printf("\n    '%s:", commands[i]->name);
        print_quoted(commands[i]->summary, ":\\", ZSH_QUOTE);
        printf("'");
    }
    printf(")\n  if (( CURRENT == 2 )); then\n    _describe command commands\n"
           "    compadd -- --help --version --schema --completion\n    return\n  fi\n  case $words[2] in\n");
    for (size_t i = 0; i < command_count; i++) {
        const option_spec *o;
        printf("    %s) _arguments -S", commands[i]->name);
        for (size_t k = 0; (o = command_option(commands[i], k)); k++)
            print_zsh_option(o);
        printf(" '*:operand:_gridcast_values' ;;\n");
    }
    printf("    *) _gridcast_values ;;\n  esac\n}\n_gridcast \"$@\"\n");
}

/* The options of one command. It must be the first word: labels and files may have its name, too. */
static void print_fish_options(const command *cmd)
{
    const option_spec *o;
    for (size_t k = 0; (o = command_option(cmd, k)); k++) {
        printf("complete -c gridcast -n '__gridcast_command %s' -l %s", cmd->name, o->name);
        if (o->letter)
            printf(" -s %c", o->letter);
        printf("%s -d '", o->value ? " -x -a '(__gridcast_values)'" : "");
        print_quoted(o->text, "\\", FISH_QUOTE);
        printf("'\n");
    }
}

static void print_fish(void)
{
    printf("function __gridcast_values\n"
           "  set -l words (commandline -opc) (commandline -ct)\n"
           "  set -l program (string replace -r '^~/' $HOME/ -- $words[1])\n"
           "  type -q -- $program; or return\n"
           "  for line in ($program --complete fish $words 2>/dev/null)\n"
           "    set -l part (string split \\t -- $line)\n"
           "    switch $line\n"
           "      case \\t'files'\\t'*'\n"
           "        for name in (__fish_complete_path $part[4])\n          printf '%%s\\n' $part[3]$name\n        end\n"
           "      case \\t'folders'\\t'*'\n"
           "        for name in (__fish_complete_directories $part[4])\n          printf '%%s\\n' $part[3]$name\n      "
           "  end\n"
           "      case '*'\n        printf '%%s\\n' $line\n"
           "    end\n  end\nend\n"
           "function __gridcast_command\n"
           "  set -l words (commandline -opc)\n  test \"$words[2]\" = $argv[1]\nend\n"
           "function __gridcast_no_command\n"
           "  test (count (commandline -opc)) = 1\nend\n"
           "complete -c gridcast -f\n"
           "complete -c gridcast -n 'not __gridcast_no_command' -a '(__gridcast_values)'\n"
           "complete -c gridcast -n __gridcast_no_command -l help\n"
           "complete -c gridcast -n __gridcast_no_command -l version\n"
           "complete -c gridcast -n __gridcast_no_command -l completion\n");
    for (size_t i = 0; i < command_count; i++) {
        printf("complete -c gridcast -n __gridcast_no_command -a %s -d '", commands[i]->name);
        print_quoted(commands[i]->summary, "\\", FISH_QUOTE);
        printf("'\n");
        print_fish_options(commands[i]);
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
