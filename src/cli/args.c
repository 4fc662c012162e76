/* The command line: getopt_long over a command's own table. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text/units.h"
#include "cli/command.h"
#include "cli/suggest.h"

const option_spec common_options[] = {
    {"color", 0, "WHEN", "auto, always or never"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

static size_t table_size(const option_spec *o)
{
    size_t n = 0;
    while (o && o[n].name)
        n++;
    return n;
}

/* A word that begins with - and that the command does not know: what may it be? */
static gcast_status unknown(const command *cmd, const char *word, const option_spec *const *specs, size_t count)
{
    char name[64], list[256] = "";
    size_t length = strcspn(word, "="), found = 0, used = 0;
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), word);
    const char *bare = name + strspn(name, "-");
    suggestion near = suggest_for(bare);
    for (size_t i = 0; i < count; i++) {
        suggest_see(&near, specs[i]->name);
        if (strncmp(word, "--", 2) != 0 || !*bare || strncmp(specs[i]->name, bare, strlen(bare)) != 0)
            continue;
        int n = snprintf(list + used, sizeof list - used, "%s--%s", found++ ? ", " : "", specs[i]->name);
        used = used + (size_t)n < sizeof list ? used + (size_t)n : sizeof list - 1;
    }
    if (found > 1)
        return say(GCAST_USAGE, "%s: %s may be any of %s", cmd->name, name, list);
    if (near.nearest)
        return say(GCAST_USAGE, "%s: unknown option %s; did you mean --%s?", cmd->name, name, near.nearest);
    return say(GCAST_USAGE, "%s: unknown option %s; gridcast %s --help lists them", cmd->name, name, cmd->name);
}

gcast_status args_parse(const command *cmd, int argc, char **argv, args *a)
{
    struct option longs[MAX_OPTIONS] = {{0}};
    const option_spec *specs[MAX_OPTIONS];
    char letters[2 * MAX_OPTIONS + 2] = ":";
    size_t n = 0, l = 1;
    const option_spec *tables[] = {cmd->options, common_options};
    for (size_t t = 0; t < 2; t++) {
        for (size_t i = 0; i < table_size(tables[t]) && n < MAX_OPTIONS - 1; i++, n++) {
            const option_spec *s = &tables[t][i];
            specs[n] = s;
            longs[n] = (struct option){s->name, s->value ? required_argument : no_argument, NULL, 1000 + (int)n};
            if (s->letter) {
                letters[l++] = s->letter;
                if (s->value)
                    letters[l++] = ':';
            }
        }
    }
    letters[l] = '\0';
    *a = (args){.cmd = cmd};
    opterr = 0;
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, letters, longs, NULL)) != -1;) {
        if (c == ':')
            return say(GCAST_USAGE, "%s: %s takes a value", cmd->name, argv[optind - 1]);
        if (c == '?' && optopt >= 1000)
            return say(GCAST_USAGE, "%s: --%s takes no value", cmd->name, specs[optopt - 1000]->name);
        if (c == '?')
            return unknown(cmd, optopt ? (char[]){'-', (char)optopt, 0} : argv[optind - 1], specs, n);
        const option_spec *spec = NULL;
        if (c >= 1000)
            spec = specs[c - 1000];
        else
            for (size_t i = 0; i < n; i++)
                if (specs[i]->letter == c)
                    spec = specs[i];
        if (a->given_count == MAX_OPTIONS)
            return say(GCAST_USAGE, "%s: more than %d options", cmd->name, MAX_OPTIONS);
        a->given[a->given_count].spec = spec;
        a->given[a->given_count++].value = optarg;
    }
    a->operands = (const char *const *)argv + optind;
    a->operand_count = (size_t)(argc - optind);
    if (args_has(a, "help"))
        return GCAST_OK;
    if (a->operand_count < (size_t)cmd->min_operands ||
        (cmd->max_operands >= 0 && a->operand_count > (size_t)cmd->max_operands))
        return say(GCAST_USAGE, "usage: gridcast %s [options]%s%s", cmd->name, *cmd->operands ? " " : "",
                   cmd->operands);
    int color;
    return args_choice(a, "color", color_choices, &color);
}

bool args_has(const args *a, const char *name)
{
    for (size_t i = 0; i < a->given_count; i++)
        if (strcmp(a->given[i].spec->name, name) == 0)
            return true;
    return false;
}

const char *args_value(const args *a, const char *name)
{
    for (size_t i = a->given_count; i-- > 0;)
        if (strcmp(a->given[i].spec->name, name) == 0)
            return a->given[i].value;
    return NULL;
}

gcast_status args_int(const args *a, const char *name, int64_t lo, int64_t hi, int64_t *out)
{
    const char *text = args_value(a, name);
    if (!text)
        return GCAST_OK;
    char *end;
    errno = 0;
    long long v = strtoll(text, &end, 10);
    if (end == text || *end || errno || v < lo || v > hi)
        return say(GCAST_USAGE, "--%s is a whole number from %lld to %lld, not %s", name, (long long)lo, (long long)hi,
                   text);
    *out = v;
    return GCAST_OK;
}

gcast_status args_choice(const args *a, const char *name, choice *list, int *out)
{
    const char *word = args_value(a, name);
    int at = word ? choice_find(list, word) : 0;
    if (at < 0) {
        char words[200];
        choices_join(list, words, sizeof words);
        return say(GCAST_USAGE, "--%s is %s, not %s", name, words, word);
    }
    if (word)
        *out = at;
    return GCAST_OK;
}

gcast_status args_time(const args *a, const char *name, int64_t *ns)
{
    const char *text = args_value(a, name);
    if (text && !units_parse_time(text, ns))
        return say(GCAST_USAGE, "--%s is a time such as 10us, 1.5ms or 2s, not %s", name, text);
    return GCAST_OK;
}

gcast_status args_span(const args *a, const char *name, int64_t *ns)
{
    gcast_status status = args_time(a, name, ns);
    if (status == GCAST_OK && args_has(a, name) && (*ns < 1 || *ns > INT64_MAX / 4))
        return say(GCAST_USAGE, "--%s is a time of at least 1ns, and below 2^61 ns, not %s", name, args_value(a, name));
    return status;
}

gcast_status args_only(const args *a, const char *with, const char *const *allowed)
{
    for (size_t i = 0; i < a->given_count; i++) {
        size_t k = 0;
        while (allowed[k] && strcmp(allowed[k], a->given[i].spec->name) != 0)
            k++;
        if (!allowed[k])
            return say(GCAST_USAGE, "--%s has no meaning with --%s", a->given[i].spec->name, with);
    }
    return GCAST_OK;
}

bool want_color(const args *a)
{
    const char *when = args_value(a, "color");
    if (when && strcmp(when, "auto") != 0)
        return strcmp(when, "always") == 0;
    const char *no = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && !(no && *no);
}
