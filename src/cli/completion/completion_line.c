#include "cli/completion/completion_line.h"

#include <stdio.h>
#include <string.h>

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

void offer_with(const completion_line *l, const char *word, const char *end)
{
    /* a name that begins with - would be an option */
    bool can_be_operand = *word != '-' || *l->start == '-' || l->may_be_option || l->after_dashes || l->typed_length;
    if (strncmp(word, l->start, strlen(l->start)) != 0 || !can_be_typed(word) || !can_be_operand)
        return;
    print_typed(l);
    printf("%s%s\n", word, end);
}

void offer(const completion_line *l, const char *word)
{
    offer_with(l, word, "");
}

void offer_files(const completion_line *l, const char *kind)
{
    if (!can_be_typed(l->start) || !can_be_typed(l->typed))
        return;
    printf("\t%s\t", kind);
    print_typed(l);
    printf("\t%s\n", l->start);
}

completion_line line_behind(const completion_line *l, char separator)
{
    completion_line rest = *l;
    const char *last = strrchr(l->start, separator);
    if (last) {
        rest.typed_length += (int)(last + 1 - l->start);
        rest.start = last + 1;
    }
    return rest;
}
