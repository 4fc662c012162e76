/* Runs every command of tests/failures/commands while something fails: each allocation in
 * turn, memory from some point on, the address space, files, descriptors, the disk; and
 * signals at any time. It must say why in one line and end with status 4, or do all it
 * does otherwise; and leave no file behind that is not whole.
 *   failures COMMANDS DATA WHAT [-k PART] [--all] [-v]
 * WHAT is one of those below. -k: only commands with this in their line. --all: every
 * call, not only some where there are many. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fonts.h"
#include "kinds.h"
#include "support/comma_locale.h"

FILE *report;

static const struct {
    const char *name;
    void (*run)(const command_line *c, const outcome *plain, long calls, tally *t);
} kinds[] = {
    {"memory", kind_memory},   /* each allocation fails, and all from there on */
    {"space", kind_space},     /* the address space is limited */
    {"files", kind_files},     /* so is how many files may be open */
    {"disk", kind_disk},       /* and how large they may get; standard output is full */
    {"closed", kind_closed},   /* standard descriptors are closed */
    {"signals", kind_signals}, /* signals come */
    {"locale", kind_locale},   /* the decimal point is a comma */
    {"names", kind_names},     /* several write to one name, and there are no links */
};

static int usage(void)
{
    fprintf(stderr, "usage: failures COMMANDS DATA WHAT [-k PART] [--all] [-v]\nWHAT is one of");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        fprintf(stderr, " %s", kinds[i].name);
    fprintf(stderr, "\n");
    return 2;
}

/* Is the build one that writes what the command asks for? */
static bool can_draw(const command_line *c)
{
    bool needs = strstr(c->text, ".png") || strstr(c->text, ".pdf");
    if (needs && !fonts_there)
        fprintf(report, "not tried, for want of cairo: %s\n", c->text);
    return !needs || fonts_there;
}

/* Without hardship: what all else is compared with. */
static bool plain_run(const command_line *c, outcome *plain, long *calls, tally *t)
{
    hardship none = {0};
    *plain = trial_run(c, &none);
    *calls = none.plan.calls;
    if (plain->status == c->status << 8 && !none.plan.left)
        return true;
    tally_fail(t, c, none.plan.left ? "without any failure: memory is left" : "without any failure: wrong exit status",
               plain, &none.plan);
    return false;
}

int main(int argc, char **argv)
{
    size_t kind = 0, count, tried = 0;
    tally t = {0};
    const char *part = "", *more = getenv("GRIDCAST_FAILURES");
    report = fdopen(dup(STDOUT_FILENO), "w");
    if (!report)
        return 2;
    while (argc > 3 && kind < sizeof kinds / sizeof kinds[0] && strcmp(argv[3], kinds[kind].name) != 0)
        kind++;
    if (argc < 4 || kind == sizeof kinds / sizeof kinds[0])
        return usage();
    t.all = more && strcmp(more, "all") == 0;
    for (int i = 4; i < argc; i++) {
        if (strcmp(argv[i], "--all") == 0)
            t.all = true;
        else if (strcmp(argv[i], "-v") == 0)
            t.verbose = true;
        else if (strcmp(argv[i], "-k") == 0 && i + 1 < argc)
            part = argv[++i];
        else
            return usage();
    }
    command_line *all = command_lines_read(argv[1], &count);
    trial_begin(argv[2]);
    if (kinds[kind].run != kind_space && kinds[kind].run != kind_files)
        fonts_load();
    for (size_t i = 0; i < count; i++) {
        outcome plain;
        long calls;
        if (!strstr(all[i].text, part) || !can_draw(&all[i]))
            continue;
        tried++;
        t.shown = 0;
        if (plain_run(&all[i], &plain, &calls, &t))
            kinds[kind].run(&all[i], &plain, calls, &t);
        if (t.verbose)
            fprintf(report, "%6ld calls, %ld runs in all: %s\n", calls, t.runs, all[i].text);
        outcome_free(&plain);
    }
    trial_end();
    comma_locale_end();
    fprintf(report, "%s: %zu commands, %ld runs, %ld failed\n", kinds[kind].name, tried, t.runs, t.failed);
    return t.failed || !tried;
}
