#include "amalthea/read/model_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "amalthea/read/references.h"
#include "amalthea/read/unused.h"
#include "gridcast/read.h"

#define SCHEMA "http://app4mc.eclipse.org/amalthea/"
#define OLDEST 904    /* 0.9.4 */
#define TOO_NEW 40000 /* 4.0.0 */
#define MAX_FILES 10000

typedef VEC(char *) path_list; /* the paths are freed with the list */

/* "0.9.4" is 904; -1 where it is not a version. */
static int version_number(const char *text)
{
    int part[3] = {0}, number = 0;
    for (size_t i = 0; i < 3; i++) {
        char *end;
        long value = *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : -1;
        if (value < 0 || value > 99 || (*end && *end != '.') || (i == 2 && *end))
            return -1;
        part[i] = (int)value;
        text = *end ? end + 1 : end;
        if (!*end && i < 2 && i == 0)
            return -1;
        if (!*end)
            break;
    }
    number = part[0] * 10000 + part[1] * 100 + part[2];
    return number;
}

/* The error for roots of other versions and parts of models says what they are, and what to do. */
static bool tell_root(am_reader *r, const xml_node *root, const char *uri)
{
    static const char old[] = "amalthea.itea2.org/model/";
    const char *found = strstr(uri, old);
    bool is_old = found, is_part = strncmp(uri, SCHEMA, strlen(SCHEMA)) == 0;
    const char *rest = is_old ? found + strlen(old) : is_part ? uri + strlen(SCHEMA) : "";
    if (is_old)
        return reader_fail(
            r, root,
            "it is an AMALTHEA model of schema %.60s (root <%.60s>), before APP4MC 0.7: gridcast reads versions "
            "from 0.9.4. APP4MC's model migration (context menu AMALTHEA Model Migration) converts it",
            rest, root->tag);
    if (is_part)
        return reader_fail(
            r, root,
            "it is a part of an AMALTHEA model of schema %.60s, with <%.60s> as its root: gridcast reads only whole "
            "models, with <am:Amalthea> as their root. APP4MC's model migration joins such parts",
            rest, root->tag);
    return reader_fail(r, root, "it is not an AMALTHEA model: its root is <%.60s> of '%.100s'", root->tag, uri);
}

static bool check_version(am_reader *r, am_file *file)
{
    const xml_node *root = file->tree.root;
    const char *uri = file->tree.schema_uri;
    if (strcmp(root->tag, "Amalthea") != 0 || strncmp(uri, SCHEMA, strlen(SCHEMA)) != 0)
        return tell_root(r, root, uri);
    file->version = version_number(uri + strlen(SCHEMA));
    if (file->version < OLDEST || file->version >= TOO_NEW)
        return reader_fail(r, root, "its schema is %.60s; gridcast reads versions from 0.9.4 to 3.x%s",
                           uri + strlen(SCHEMA),
                           file->version < OLDEST ? ": APP4MC's model migration converts it" : "");
    return true;
}

static void file_free(am_file *file)
{
    if (!file)
        return;
    xml_free(&file->tree);
    free(file);
}

/* Parses a file and checks its version, without adding it to the model; NULL after an error. */
static am_file *file_parse(am_reader *r, const char *path, const char *text, size_t size)
{
    am_file *file = calloc(1, sizeof *file);
    if (!file) {
        reader_no_memory(r);
        return NULL;
    }
    file->crc = (uint32_t)crc32_z(0, (const Bytef *)text, size);
    r->status = xml_parse(path, text, size, &file->tree, r->err);
    if (r->status == GCAST_OK && check_version(r, file) && (file->path = reader_keep(r, path)))
        return file;
    file_free(file);
    return NULL;
}

static am_file *file_open(am_reader *r, const char *path)
{
    char *text;
    size_t size;
    r->status = gcast_file_read(path, &text, &size, r->err);
    if (r->status != GCAST_OK)
        return NULL;
    am_file *file = file_parse(r, path, text, size);
    free(text);
    return file;
}

/* Adds a file to the model; all files must have one version. */
static bool file_add(am_reader *r, am_file *file)
{
    const char *version = file->tree.schema_uri + strlen(SCHEMA);
    if (r->files.count && r->files.at[0]->version != file->version)
        return reader_fail(r, file->tree.root, "its schema is %.60s, that of %.200s is %.60s", version,
                           r->files.at[0]->path, r->m->version);
    if (!r->files.count && !(r->m->version = reader_keep(r, version)))
        return false;
    return (vec_push(&r->files, file) || reader_no_memory(r)) &&
           (symbols_add(&r->symbols, &file->tree) || reader_no_memory(r));
}

/* Adds the file, or frees it where it cannot be added. */
static bool add_or_free(am_reader *r, am_file *file)
{
    if (!file)
        return false;
    size_t before = r->files.count;
    bool good = file_add(r, file);
    if (r->files.count == before)
        file_free(file);
    return good;
}

bool files_add_text(am_reader *r, const char *name, const char *text, size_t size)
{
    return add_or_free(r, file_parse(r, name, text, size));
}

static bool path_error(am_reader *r, const char *path, const char *message)
{
    r->status = xml_file_error(path, 0, 0, r->err, "%s", message);
    return false;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void paths_free(path_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->at[i]);
    vec_free(list);
}

static bool add_path(am_reader *r, const char *folder, const char *name, path_list *list)
{
    static const char ending[] = ".amxmi";
    size_t length = strlen(name), size = strlen(folder) + length + 2;
    if (length < sizeof ending || strcmp(name + length - (sizeof ending - 1), ending) != 0)
        return true;
    char *path = list->count < MAX_FILES ? malloc(size) : NULL;
    if (!path)
        return list->count < MAX_FILES ? reader_no_memory(r) : path_error(r, folder, "it has too many .amxmi files");
    snprintf(path, size, "%s/%s", folder, name);
    if (vec_push(list, path))
        return true;
    free(path);
    return reader_no_memory(r);
}

/* Lists the .amxmi files of a folder, sorted by name. */
static bool folder_files(am_reader *r, const char *folder, path_list *list)
{
    DIR *dir = opendir(folder);
    if (!dir)
        return path_error(r, folder, strerror(errno));
    bool good = true;
    for (const struct dirent *entry; good && (entry = readdir(dir));)
        good = add_path(r, folder, entry->d_name, list);
    closedir(dir);
    if (list->count)
        qsort(list->at, list->count, sizeof *list->at, by_name);
    return good;
}

/* Was this file read already, maybe by another path? */
static bool file_is_read(const am_reader *r, const char *path)
{
    struct stat a, b;
    for (size_t i = 0; i < r->files.count; i++) {
        const char *other = r->files.at[i]->path;
        if (strcmp(other, path) == 0 ||
            (stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino))
            return true;
    }
    return false;
}

static bool open_file(am_reader *r, const char *path)
{
    return file_is_read(r, path) || add_or_free(r, file_open(r, path));
}

static bool open_folder(am_reader *r, const char *folder)
{
    path_list list = {0};
    bool good = folder_files(r, folder, &list);
    if (good && !list.count)
        good = path_error(r, folder, "the folder has no .amxmi file");
    for (size_t i = 0; good && i < list.count; i++)
        good = open_file(r, list.at[i]);
    paths_free(&list);
    return good;
}

bool files_open(am_reader *r, const char *const *paths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct stat found;
        bool folder = stat(paths[i], &found) == 0 && S_ISDIR(found.st_mode);
        if (!(folder ? open_folder(r, paths[i]) : open_file(r, paths[i])))
            return false;
    }
    return count || path_error(r, "", "no file was given");
}

/* References may lead to other files. Files of the same folder that define their targets are read too. */

/* The target of a reference that no file defines that was read. */
typedef struct am_wanted {
    const char *class, *name;
    const xml_node *at;
} am_wanted;

typedef struct wanted_search {
    am_reader *r;
    VEC(am_wanted) wanted;
    VEC(am_file *) siblings; /* other files of the folder, parsed; NULL: added to the model */
    VEC(am_symbols) symbols; /* of the siblings */
    path_list named;         /* files that references name */
    bool crosses;            /* some reference leads to another file */
    bool looked;             /* siblings were looked for */
} wanted_search;

/* The folder of a file, for the caller to free. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, (size_t)(slash - path) + (slash == path)) : strdup(".");
}

/* Lists the file that an href names: not with AMALTHEA's own amlt:/, nor any other scheme. */
static bool want_file(wanted_search *s, const xml_node *n, const char *href)
{
    static const char ending[] = ".amxmi";
    size_t length = strcspn(href, "#"), before = sizeof ending - 1;
    if (length <= before || memcmp(href + length - before, ending, before) != 0 || memchr(href, ':', length))
        return true;
    char *folder = folder_of(n->file);
    size_t size = folder ? strlen(folder) + length + 2 : 0;
    char *path = folder ? malloc(size) : NULL;
    if (path)
        snprintf(path, size, "%s/%.*s", href[0] == '/' ? "" : folder, (int)length, href);
    free(folder);
    if (!path || !vec_push(&s->named, path)) {
        free(path);
        return reader_no_memory(s->r);
    }
    return true;
}

/* Lists the target of a reference in an attribute, or in an href, if no file defines it. */
static bool want(wanted_search *s, const xml_node *n, const char *text, size_t size, const char *href)
{
    am_wanted wanted = {.at = n};
    const am_symbol *first, *second;
    if (!reference_split(&s->r->symbols.memory, text, size, &wanted.class, &wanted.name))
        return true; /* an error only where the reference is used */
    if (symbols_find(&s->r->symbols, wanted.class, wanted.name, &first, &second))
        return true;
    return (vec_push(&s->wanted, wanted) || reader_no_memory(s->r)) && (!href || want_file(s, n, href));
}

static bool is_text(const xml_node *n, const char *attribute)
{
    return strncmp(attribute, "xmi:", 4) == 0 || strcmp(attribute, "name") == 0 ||
           strcmp(attribute, "description") == 0 || strcmp(n->type, "StringObject") == 0;
}

/* Lists the references of an element and of those in it, except harmless ones. The recursion is bounded by the depth of
 * elements in XML. */
static bool collect(wanted_search *s, const xml_node *n)
{
    if (is_harmless(n, NULL))
        return true;
    for (size_t i = 0; i < n->attribute_count; i++) {
        const xml_attribute *a = &n->attributes[i];
        if (strcmp(a->name, "href") == 0) {
            const char *target = reference_target(a->value);
            s->crosses = true;
            if (!want(s, n, target, strlen(target), a->value))
                return false;
        } else if (strstr(a->value, "?type=") && !is_text(n, a->name) && !is_harmless(n, a->name)) {
            const char *text = a->value;
            for (size_t size; (size = reference_next(&text)); text += size)
                if (!want(s, n, text, size, NULL))
                    return false;
        }
    }
    for (const xml_node *c = n->first; c; c = c->next)
        if (!collect(s, c))
            return false;
    return true;
}

static bool collect_all(wanted_search *s)
{
    s->wanted.count = 0;
    s->crosses = false;
    paths_free(&s->named);
    for (size_t i = 0; i < s->r->files.count; i++)
        if (!collect(s, s->r->files.at[i]->tree.root))
            return false;
    return true;
}

/* A file of the folder that cannot be read, or has another version, is not a part of the model. */
static bool add_sibling(wanted_search *s, const char *path)
{
    am_reader *r = s->r;
    if (file_is_read(r, path))
        return true;
    gcast_error ignored, *err = r->err;
    r->err = &ignored;
    am_file *file = file_open(r, path);
    r->err = err;
    if (!file && r->status == GCAST_RESOURCE)
        return reader_no_memory(r);
    r->status = GCAST_OK;
    if (!file || file->version != r->files.at[0]->version) {
        file_free(file);
        return true;
    }
    am_symbols symbols = {0};
    bool good = symbols_add(&symbols, &file->tree) && vec_reserve(&s->siblings, s->siblings.count + 1) &&
                vec_reserve(&s->symbols, s->symbols.count + 1);
    if (!good) {
        symbols_free(&symbols);
        file_free(file);
        return reader_no_memory(r);
    }
    s->siblings.at[s->siblings.count++] = file;
    s->symbols.at[s->symbols.count++] = symbols;
    return true;
}

/* Finds the siblings of the first file: a model is in one folder. */
static bool find_siblings(wanted_search *s)
{
    const char *path = s->r->files.at[0]->path;
    bool slash = strchr(path, '/');
    char *folder = folder_of(path);
    if (!folder)
        return reader_no_memory(s->r);
    path_list list = {0};
    s->looked = true;
    bool good = folder_files(s->r, folder, &list);
    for (size_t i = 0; good && i < list.count; i++)
        good = add_sibling(s, slash ? list.at[i] : list.at[i] + 2);
    paths_free(&list);
    free(folder);
    return good;
}

/* Finds the sibling that defines it; -1: none does. Two are an error. */
static bool find_definer(wanted_search *s, const am_wanted *wanted, int *found)
{
    *found = -1;
    for (size_t i = 0; i < s->siblings.count; i++) {
        const am_symbol *first, *second;
        if (!s->siblings.at[i] || !symbols_find(&s->symbols.at[i], wanted->class, wanted->name, &first, &second))
            continue;
        char shown[80];
        symbol_show(wanted->name, shown, sizeof shown);
        if (*found >= 0)
            return reader_fail(s->r, wanted->at,
                               "both %.120s and %.120s define the %.60s '%s' of another file; name the files of the "
                               "model",
                               s->siblings.at[*found]->path, s->siblings.at[i]->path, wanted->class, shown);
        *found = (int)i;
    }
    return true;
}

/* Adds the siblings that define something wanted; sets *more if there were any. */
static bool add_definers(wanted_search *s, bool *more)
{
    bool *needed = calloc(s->siblings.count + 1, sizeof *needed);
    bool good = needed || reader_no_memory(s->r);
    for (size_t i = 0; good && i < s->wanted.count; i++) {
        int found;
        good = find_definer(s, &s->wanted.at[i], &found);
        if (good && found >= 0)
            needed[found] = *more = true;
    }
    for (size_t i = 0; good && i < s->siblings.count; i++) {
        if (!needed[i])
            continue;
        am_file *file = s->siblings.at[i];
        s->siblings.at[i] = NULL;
        size_t before = s->r->files.count;
        good = file_add(s->r, file);
        if (s->r->files.count == before)
            file_free(file);
    }
    free(needed);
    return good;
}

/* Reads the files that references name, which must be there; sets *more if there were any. */
static bool add_named(wanted_search *s, bool *more)
{
    for (size_t i = 0; i < s->named.count; i++) {
        if (file_is_read(s->r, s->named.at[i]))
            continue;
        *more = true;
        if (!files_open(s->r, (const char *const *)&s->named.at[i], 1))
            return false;
    }
    return true;
}

bool files_add_wanted(am_reader *r)
{
    wanted_search s = {.r = r};
    bool good = collect_all(&s), more = good && s.crosses && s.wanted.count;
    while (good && more) {
        more = false;
        good = add_named(&s, &more);
        if (good && !more)
            good = (s.looked || find_siblings(&s)) && add_definers(&s, &more);
        good = good && collect_all(&s);
    }
    for (size_t i = 0; i < s.siblings.count; i++) {
        file_free(s.siblings.at[i]);
        symbols_free(&s.symbols.at[i]);
    }
    vec_free(&s.siblings);
    vec_free(&s.symbols);
    vec_free(&s.wanted);
    paths_free(&s.named);
    return good;
}
