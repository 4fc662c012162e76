#include "cli/verify/print.h"

#include "base/text/units.h"

static void put_fraction(text *t, double v, int width)
{
    if (v < 0)
        text_printf(t, "%*s", width, "-");
    else
        text_printf(t, "%*.3f", width, v);
}

static void put_row(text *t, const char *name, const gcast_score *s)
{
    text_terminal(t, name);
    for (size_t n = text_width(name); n < 14; n++)
        text_char(t, ' ');
    text_printf(t, "%11zu", s->scenarios);
    put_fraction(t, gcast_score_value(s), 8);
    put_fraction(t, gcast_score_limit(s), 8);
    put_fraction(t, gcast_score_ratio(s), 8);
    put_fraction(t, gcast_score_open(s), 8);
    put_fraction(t, gcast_score_settled(s), 9);
    text_char(t, '\n');
}

const legend_entry verify_legend[] = {
    {"score", "predictions with every end within 1 % of the makespan or 20 us"},
    {"limit", "the same for the GPU with itself: runs of a scenario against each other"},
    {"ratio", "score over limit"},
    {"open", "predictions with a race: less than the GPU's scatter decides an order"},
    {"settled", "the score of all other predictions"},
    {NULL, NULL},
};

void verify_legend_print(text *t)
{
    text_char(t, '\n');
    for (const legend_entry *l = verify_legend; l->word; l++)
        text_printf(t, "%-8s %s\n", l->word, l->text);
}

void verify_table(text *t, const verify_scores *s, size_t max_misses)
{
    text_printf(t, "%-14s%11s%8s%8s%8s%8s%9s\n", "family", "scenarios", "score", "limit", "ratio", "open", "settled");
    for (size_t i = 0; i < s->families.count; i++)
        put_row(t, s->families.at[i].name, &s->families.at[i].score);
    put_row(t, "all", &s->all);
    if (s->misses.count && max_misses)
        text_str(t, "\nfarthest off:\n");
    for (size_t i = 0; i < s->misses.count && i < max_misses; i++) {
        const verify_miss *miss = &s->misses.at[i];
        char error[40], tolerance[40];
        units_format_time(miss->worst.error_ns, error, sizeof error);
        units_format_time(miss->worst.tolerance_ns, tolerance, sizeof tolerance);
        text_str(t, "  ");
        text_terminal(t, miss->scenario);
        text_str(t, ", ");
        text_terminal(t, miss->op);
        if (miss->worst.error_ns == INT64_MAX)
            text_str(t, ": predicted to hang or not to be called\n");
        else
            text_printf(t, ": %s off, %s allowed\n", error, tolerance);
    }
}
