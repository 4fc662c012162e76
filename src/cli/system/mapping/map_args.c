#include "cli/system/mapping/map_args.h"

#include <string.h>

#include "cli/output/extension.h"
#include "cli/output/output.h"
#include "cli/say.h"
#include "experiment/crew/task.h"

#define TRIES_FOR_EVER INT64_C(1000000000) /* with --search-time alone */

bool map_is_model_file(const char *path)
{
    return path_ends_with(path, ".amxmi");
}

gcast_status map_args_refuse(const args *a)
{
    static const option_spec of_map[] = {MAP_OPTIONS};
    for (size_t i = 1; i < sizeof of_map / sizeof of_map[0]; i++)
        if (args_has(a, of_map[i].name))
            return say(GCAST_USAGE, "--%s goes with --map", of_map[i].name);
    return GCAST_OK;
}

/* One word of --map, up to a comma. */
static bool add_word(const char *word, size_t length, map_may *may)
{
    const struct {
        const char *word;
        bool *may;
    } words[] = {{"core", &may->core}, {"gpu", &may->gpu}, {"priority", &may->priority}, {"wait", &may->wait}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i].word) == length && strncmp(word, words[i].word, length) == 0)
            return *words[i].may = true;
    return false;
}

static gcast_status read_may(const char *value, map_may *may)
{
    if (strcmp(value, "all") == 0)
        return GCAST_OK;
    *may = (map_may){0};
    for (const char *word = value;; word++) {
        size_t length = strcspn(word, ",");
        if (!add_word(word, length, may))
            return say(GCAST_USAGE, "--map %s: it is all, or a list of core, gpu, priority and wait", value);
        word += length;
        if (!*word)
            return GCAST_OK;
    }
}

static gcast_status read_objective(const char *value, map_args *m)
{
    size_t length = strcspn(value, ":");
    for (int i = 0; i < MAP_OBJECTIVES; i++) {
        if (strlen(objective_choices[i]) != length || strncmp(value, objective_choices[i], length) != 0)
            continue;
        m->options.objective.kind = (map_objective_kind)i;
        if (value[length] == '\0')
            return GCAST_OK;
        m->chain = value + length + 1;
        if (i == MAP_CHAIN)
            return GCAST_OK;
    }
    return say(GCAST_USAGE, "--objective %s: it is responses, chain, chain:NAME or slack", value);
}

static gcast_status find_files(const args *a, map_args *m)
{
    for (size_t i = 0; i < a->given_count; i++) {
        const char *path = a->given[i].value;
        if (!args_is(a, i, "output"))
            continue;
        if (map_is_model_file(path) && m->model)
            return say(GCAST_USAGE, "give one -o for the model: %s or %s", m->model, path);
        if (map_is_model_file(path))
            m->model = path;
        if (!output_is_standard(path) && !m->file)
            m->file = path;
    }
    if (!m->file && args_has(a, "stop-after"))
        return say(GCAST_USAGE, "--stop-after needs -o FILE, to go on from");
    return GCAST_OK;
}

static gcast_status read_numbers(const args *a, map_args *m)
{
    int64_t tries = args_has(a, "search-time") ? TRIES_FOR_EVER : MAP_TRIES, seed = 1, islands = MAP_ISLANDS;
    gcast_status status = args_int(a, "tries", 1, (int64_t)MAP_MAX_TRIES, &tries);
    if (status == GCAST_OK)
        status = args_span(a, "search-time", &m->time_ns);
    if (status == GCAST_OK)
        status = args_int(a, "seed", 0, INT64_MAX, &seed);
    if (status == GCAST_OK)
        status = args_int(a, "islands", 1, MAP_MAX_ISLANDS, &islands);
    if (status == GCAST_OK)
        status = args_int(a, "threads", 1, CREW_MAX_THREADS, &m->threads);
    if (status == GCAST_OK)
        status = args_int(a, "stop-after", 1, INT64_MAX, &m->max_items);
    m->options.tries = (uint64_t)tries;
    m->options.seed = (uint64_t)seed;
    m->options.islands = (uint32_t)islands;
    return status;
}

gcast_status map_args_read(const args *a, map_args *m)
{
    const char *objective = args_value(a, "objective");
    int communication = SYS_IMPLICIT;
    *m = (map_args){.options = map_options_default(), .time_ns = INT64_MAX, .max_items = INT64_MAX};
    gcast_status status = read_may(args_value(a, "map"), &m->options.may);
    if (status == GCAST_OK && objective)
        status = read_objective(objective, m);
    if (status == GCAST_OK)
        status = args_choice(a, "communication", communication_choices, &communication);
    m->options.objective.communication = (sys_communication)communication;
    if (status == GCAST_OK)
        status = read_numbers(a, m);
    return status == GCAST_OK ? find_files(a, m) : status;
}

gcast_status map_args_chain(map_args *m, const sys_system *s)
{
    if (m->options.objective.kind != MAP_CHAIN)
        return GCAST_OK;
    if (s->chain_count == 0)
        return say(GCAST_USAGE, "--objective chain: the model has no chain; --chain A,B,C gives one");
    for (size_t i = 0; m->chain && i < s->chain_count; i++)
        if (strcmp(s->chains[i].name, m->chain) == 0) {
            m->options.objective.chain = (int)i;
            return GCAST_OK;
        }
    return m->chain ? say(GCAST_USAGE, "--objective chain:%s: no chain has this name", m->chain) : GCAST_OK;
}
