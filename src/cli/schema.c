#include "cli/schema.h"

#include <stdio.h>
#include <string.h>

#include "cli/commands/explain_json.h"
#include "cli/commands/occupancy.h"
#include "cli/say.h"
#include "report/schemas.h"
#include "verify/corpora.h"

#define PREFIX "gridcast."

static const struct {
    const char *name;      /* with a prefix and a version: gridcast.run/1 */
    const char *writer;    /* who writes it */
    const record *records; /* its fields */
} formats[] = {
    {"run/1", "simulate, measure: .json", run_schema},
    {"run.csv", "simulate, measure: .csv", run_csv_schema},
    {"explanation/1", "explain --json", explanation_schema},
    {"pair/1", "explain --json of two operations", pair_schema},
    {"whatif/1", "whatif --json", whatif_schema},
    {"residency/1", "analyze --residency --json", residency_schema},
    {"analysis/1", "analyze --json", analysis_schema},
    {"system/1", "analyze --json of an AMALTHEA model", system_schema},
    {"system-run/1", "simulate --json of an AMALTHEA model", system_run_schema},
    {"exec/1", "exec --json", exec_schema},
    {"exec.csv", "exec: .csv", exec_csv_schema},
    {"occupancy/1", "occupancy --json", occupancy_schema},
    {"occupancy.csv", "occupancy: .csv", occupancy_curve_schema},
    {"spawn/1", "spawn --json", spawn_schema},
    {"workers/1", "measure --curve: .json", workers_schema},
    {"verify/1", "verify --json", verify_schema},
};
#define FORMATS (sizeof formats / sizeof *formats)

/* The type of a field in JSON. */
static const char *type_name(const char *type)
{
    static const char *const types[][2] = {{"text", "string"},   {"made", "string"},   {"name", "string"},
                                           {"int", "integer"},   {"count", "integer"}, {"ns", "integer"},
                                           {"share", "number"},  {"milli", "number"},  {"mean", "number"},
                                           {"record", "object"}, {"object", ""}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i][0], type) == 0)
            return types[i][1];
    return type;
}

static void print_record(const record *r)
{
    if (*r->path)
        printf("\n%s:\n", r->path);
    for (const field *f = r->fields; f->key; f++) {
        char key[64];
        snprintf(key, sizeof key, strcmp(f->when, "true") == 0 ? "%s" : "[%s]", f->key);
        printf("  %-25s %-8s %s\n", key, type_name(f->type), f->means);
    }
}

/* Is it the name of the format, with or without the prefix and the version? */
static bool is_named(const char *format, const char *name)
{
    size_t prefix = strlen(PREFIX), size = strcspn(format, "/");
    if (strncmp(name, PREFIX, prefix) == 0)
        name += prefix;
    return strcmp(format, name) == 0 || (strlen(name) == size && strncmp(format, name, size) == 0);
}

gcast_status print_schema(const char *name)
{
    for (size_t i = 0; i < FORMATS; i++) {
        if (!name)
            printf("  " PREFIX "%-15s %s\n", formats[i].name, formats[i].writer);
        if (!name || !is_named(formats[i].name, name))
            continue;
        printf(PREFIX "%s, of %s; a [key] may be left out\n", formats[i].name, formats[i].writer);
        for (const record *r = formats[i].records; r->path; r++)
            print_record(r);
        return GCAST_OK;
    }
    return name ? say(GCAST_USAGE, "unknown format %s; gridcast --schema lists them", name) : GCAST_OK;
}
