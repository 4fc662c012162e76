#include "command_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

static void give_up(const char *path, int number, const char *reason)
{
    fprintf(stderr, "%s:%d: %s\n", path, number, reason);
    exit(2);
}

/* STATUS [varies] [slow] [old=NAME] [from=FILE] [input=FILE] gridcast ARGUMENT...; quotes and $NAME as in a shell. */
static void read_line(const char *path, int number, const char *line, command_line *c)
{
    wordexp_t words;
    *c = (command_line){.text = strdup(line)};
    if (wordexp(line, &words, WRDE_NOCMD | WRDE_UNDEF) != 0)
        give_up(path, number, "is not a line of words, or names a variable that is not set");
    size_t i = 1;
    char *end;
    c->status = words.we_wordc ? (int)strtol(words.we_wordv[0], &end, 10) : 0;
    if (!words.we_wordc || *end || end == words.we_wordv[0])
        give_up(path, number, "starts with no exit status");
    for (; i < words.we_wordc && strcmp(words.we_wordv[i], "gridcast") != 0; i++) {
        char *word = words.we_wordv[i];
        c->varies = c->varies || strcmp(word, "varies") == 0;
        c->slow = c->slow || strcmp(word, "slow") == 0;
        if (strncmp(word, "old=", 4) == 0)
            c->existing = word + 4;
        if (strncmp(word, "from=", 5) == 0)
            c->existing_source = word + 5;
        if (strncmp(word, "input=", 6) == 0)
            c->input = word + 6;
    }
    if (i == words.we_wordc)
        give_up(path, number, "has no gridcast in it");
    c->argv = words.we_wordv + i;
    c->argc = (int)(words.we_wordc - i);
    for (int k = 0; k < c->argc; k++)
        c->gpu = c->gpu || strcmp(c->argv[k], "--driver") == 0;
}

command_line *command_lines_read(const char *path, size_t *count)
{
    FILE *in = fopen(path, "r");
    char line[1024];
    command_line *all = NULL;
    *count = 0;
    if (!in)
        give_up(path, 0, "cannot be read");
    for (int number = 1; fgets(line, sizeof line, in); number++) {
        line[strcspn(line, "\n")] = '\0';
        if (!line[0] || line[0] == '#')
            continue;
        all = realloc(all, (*count + 1) * sizeof *all);
        if (!all)
            give_up(path, number, "not enough memory");
        read_line(path, number, line, &all[(*count)++]);
    }
    fclose(in);
    return all;
}
