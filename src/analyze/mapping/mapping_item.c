#include "analyze/mapping/mapping_item.h"

enum { TRIED, ANALYZED, REPEATED, MISSED, LATE, VALUE, IDLE, MAPPINGS };

size_t map_found_words(const map_space *m)
{
    return MAPPINGS + m->of->task_count;
}

void map_found_write(const map_space *m, const map_found *f, const sys_place *best, const sys_place *current,
                     uint64_t *words)
{
    uint32_t packed[MAP_MAX_TASKS];
    words[TRIED] = f->counts.tried;
    words[ANALYZED] = f->counts.analyzed;
    words[REPEATED] = f->counts.repeated;
    words[MISSED] = (uint64_t)f->score.missed;
    words[LATE] = (uint64_t)f->score.late_ns;
    words[VALUE] = (uint64_t)f->score.value;
    words[IDLE] = f->idle;
    map_pack(m, best, packed);
    for (size_t i = 0; i < m->of->task_count; i++)
        words[MAPPINGS + i] = packed[i];
    map_pack(m, current, packed);
    for (size_t i = 0; i < m->of->task_count; i++)
        words[MAPPINGS + i] |= (uint64_t)packed[i] << 32;
}

map_counts map_found_counts(const uint64_t *words)
{
    return (map_counts){words[TRIED], words[ANALYZED], words[REPEATED]};
}

map_score map_found_score(const uint64_t *words)
{
    return (map_score){(int64_t)words[MISSED], (int64_t)words[LATE], (int64_t)words[VALUE]};
}

uint64_t map_found_idle(const uint64_t *words)
{
    return words[IDLE];
}

static void unpack(const map_space *m, const uint64_t *words, unsigned shift, sys_place *places)
{
    uint32_t packed[MAP_MAX_TASKS];
    for (size_t i = 0; i < m->of->task_count; i++)
        packed[i] = (uint32_t)(words[MAPPINGS + i] >> shift);
    map_unpack(m, packed, places);
}

void map_found_read(const map_space *m, const uint64_t *words, sys_place *best, sys_place *current)
{
    unpack(m, words, 0, best);
    if (current)
        unpack(m, words, 32, current);
}

void map_found_take_best(const uint64_t *other, size_t count, uint64_t *words)
{
    for (size_t i = MISSED; i <= VALUE; i++)
        words[i] = other[i];
    words[IDLE] = 0;
    for (size_t i = MAPPINGS; i < count; i++)
        words[i] = (other[i] & UINT32_MAX) << 32 | (other[i] & UINT32_MAX);
}

static bool is_possible(const map_space *m, size_t task, uint32_t packed)
{
    for (size_t i = 0; i < m->tasks[task].core_count; i++)
        if ((uint32_t)(m->tasks[task].cores[i] + 1) == packed >> 16)
            return true;
    return false;
}

bool map_found_fits(const map_space *m, const uint64_t *words)
{
    if (words[TRIED] == 0 || words[MISSED] > INT64_MAX || words[LATE] > INT64_MAX)
        return false;
    for (size_t i = 0; i < m->of->task_count; i++)
        if (!is_possible(m, i, (uint32_t)words[MAPPINGS + i]) ||
            !is_possible(m, i, (uint32_t)(words[MAPPINGS + i] >> 32)))
            return false;
    return true;
}
