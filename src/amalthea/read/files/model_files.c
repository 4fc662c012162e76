/* Opens files and folders, and looks at versions. */
#include "amalthea/read/files/model_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "gridcast/read.h"

#define SCHEMA "http://app4mc.eclipse.org/amalthea/"
#define OLDEST 904    /* 0.9.4 */
#define TOO_NEW 40000 /* 4.0.0 */
#define MAX_FILES 10000

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

/* Roots of other versions and parts of models: what they are, and what to do. */
static bool tell_root(am_reader *r, const xml_node *root, const char *uri)
{
    static const char old[] = "amalthea.itea2.org/model/";
    const char *found = strstr(uri, old);
    bool is_old = found, is_part = strncmp(uri, SCHEMA, strlen(SCHEMA)) == 0;
    const char *rest = is_old ? found + strlen(old) : is_part ? uri + strlen(SCHEMA) : "";
    if (is_old)
        return reader_fail(
            r, root,
            "it is an AMALTHEA model of schema %.60s (root <%.60s>), before APP4MC 0.7: versions from "
            "0.9.4 are read. APP4MC's model migration (context menu AMALTHEA Model Migration) converts it",
            rest, root->tag);
    if (is_part)
        return reader_fail(
            r, root,
            "it is a part of an AMALTHEA model of schema %.60s, with <%.60s> as its root: only whole models "
            "are read, with <am:Amalthea> as their root. APP4MC's model migration makes one of such parts",
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
        return reader_fail(r, root, "its schema is %.60s; versions from 0.9.4 to 3.x are read%s", uri + strlen(SCHEMA),
                           file->version < OLDEST ? ": APP4MC's model migration converts it" : "");
    return true;
}

void file_free(am_file *file)
{
    if (!file)
        return;
    xml_free(&file->tree);
    free(file);
}

am_file *file_parse(am_reader *r, const char *path, const char *text, size_t size)
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

am_file *file_open(am_reader *r, const char *path)
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

/* All files have one version. */
bool file_add(am_reader *r, am_file *file)
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

/* The file is the list's where it was added. */
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

void paths_free(path_list *list)
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

bool folder_files(am_reader *r, const char *folder, path_list *list)
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

bool file_is_read(const am_reader *r, const char *path)
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
