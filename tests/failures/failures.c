/* Runs every command of tests/failures/commands while something fails: each allocation in
 * turn, memory from some point on, the address space, files, descriptors, the disk; and
 * signals at any time. The command must say why in one line and end with status 4, or do
 * all that it does without the fault; and every file that it leaves must be complete.
 *   failures COMMANDS DATA WHAT [-k PART] [--all] [-v]
 * WHAT is one of those below. -k: only commands with this in their line. --all: every
 * command, and every call, not only some where there are many; without it a command is
 * tried in half of the ways, but for memory. */
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
    void (*run)(const command_line *c, const outcome *reference, long calls, tally *t);
} kinds[] = {
    {"memory", kind_memory},   /* each allocation fails, and all from there on */
    {"space", kind_space},     /* the address space is limited */
    {"files", kind_files},     /* the number of open files is limited */
    {"disk", kind_disk},       /* the size of files is limited; standard output is a full device */
    {"closed", kind_closed},   /* standard descriptors are closed */
    {"signals", kind_signals}, /* signals are sent */
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

/* Can this build read and write the formats of the command? */
static bool can_draw(const command_line *c)
{
#ifndef FAILURES_XML
    if (strstr(c->text, ".amxmi")) {
        fprintf(report, "not tried, for want of libxml2: %s\n", c->text);
        return false;
    }
#endif
#ifndef FAILURES_PAPERS
    if (strstr(c->text, "gridcast experiment") || strstr(c->text, "--method thesis") || strstr(c->text, "--app") ||
        strstr(c->text, "--corun")) {
        fprintf(report, "not tried, for want of papers/: %s\n", c->text);
        return false;
    }
#endif
#ifndef FAILURES_PROFILES
    if (strstr(c->text, "gridcast import")) {
        fprintf(report, "not tried, for want of yajl or SQLite: %s\n", c->text);
        return false;
    }
#endif
    bool needs = strstr(c->text, ".png") || strstr(c->text, ".pdf");
    if (needs && !fonts_available)
        fprintf(report, "not tried, for want of cairo: %s\n", c->text);
    return !needs || fonts_available;
}

static bool is_turn(size_t command, size_t kind, const char *part, const tally *t)
{
    return t->all || *part || kinds[kind].run == kind_memory || (command + kind) % 2 == 0;
}

/* A run without a fault, which all others are compared with. */
static bool reference_run(const command_line *c, outcome *reference, long *calls, tally *t)
{
    fault none = {0};
    *reference = trial_run(c, &none);
    *calls = none.plan.calls;
    if (reference->status == c->status << 8 && !none.plan.leaked)
        return true;
    tally_fail(t, c,
               none.plan.leaked ? "without any failure: memory is left" : "without any failure: wrong exit status",
               reference, &none.plan);
    return false;
}

int main(int argc, char **argv)
{
    size_t kind = 0, count, tried = 0;
    tally t = {0};
    const char *part = "", *mode = getenv("GRIDCAST_FAILURES");
    report = fdopen(dup(STDOUT_FILENO), "w");
    if (!report)
        return 2;
    while (argc > 3 && kind < sizeof kinds / sizeof kinds[0] && strcmp(argv[3], kinds[kind].name) != 0)
        kind++;
    if (argc < 4 || kind == sizeof kinds / sizeof kinds[0])
        return usage();
    t.all = mode && strcmp(mode, "all") == 0;
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
        outcome reference;
        long calls;
        if (!is_turn(i, kind, part, &t) || !strstr(all[i].text, part) || !can_draw(&all[i]))
            continue;
        tried++;
        t.shown = 0;
        if (reference_run(&all[i], &reference, &calls, &t))
            kinds[kind].run(&all[i], &reference, calls, &t);
        if (t.verbose)
            fprintf(report, "%6ld calls, %ld runs in all: %s\n", calls, t.runs, all[i].text);
        outcome_free(&reference);
    }
    trial_end();
    comma_locale_end();
    fprintf(report, "%s: %zu commands, %ld runs, %ld failed\n", kinds[kind].name, tried, t.runs, t.failed);
    return t.failed || !tried;
}
