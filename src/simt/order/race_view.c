#include "simt/order/race_view.h"

void view_clear(race_clocks *s, race_view *a)
{
    clock_drop(s, a->known);
    for (int i = 0; i < SCOPES; i++) {
        clock_drop(s, a->fenced[i]);
        clock_drop(s, a->unfenced[i]);
    }
    *a = (race_view){0};
}

void view_set(race_clocks *s, race_view *a, const race_view *b)
{
    race_view before = *a;
    *a = *b;
    clock_keep(a->known);
    for (int i = 0; i < SCOPES; i++) {
        clock_keep(a->fenced[i]);
        clock_keep(a->unfenced[i]);
    }
    view_clear(s, &before);
}

void view_join(race_clocks *s, race_view *a, const race_view *b)
{
    a->known = clock_join(s, a->known, b->known);
    for (int i = 0; i < SCOPES; i++) {
        a->fenced[i] = clock_join(s, a->fenced[i], b->fenced[i]);
        a->unfenced[i] = clock_join(s, a->unfenced[i], b->unfenced[i]);
    }
}

bool view_is_same(const race_view *a, const race_view *b)
{
    bool same = a->known == b->known;
    for (int i = 0; i < SCOPES; i++)
        same &= a->fenced[i] == b->fenced[i] && a->unfenced[i] == b->unfenced[i];
    return same;
}
