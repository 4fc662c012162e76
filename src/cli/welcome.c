#include "cli/welcome.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The examples are below the current folder, installed with the program, or in the source tree that it was built in. */

/* From the folder of the program to its documentation, as cmake/install.cmake installs them. */
#ifndef GRIDCAST_DOCDIR
#define GRIDCAST_DOCDIR "../share/doc/gridcast"
#endif

/* Joins a folder and a path below it; false: the result is too long. */
static bool join(const char *folder, const char *below, char out[PATH_MAX])
{
    int length = snprintf(out, PATH_MAX, "%s%s%s", folder, *folder && strcmp(folder, "/") != 0 ? "/" : "", below);
    return length > 0 && length < PATH_MAX;
}

static bool has_all(const char *folder, const char *const *files)
{
    char path[PATH_MAX], name[256];
    for (; *files; files++) {
        snprintf(name, sizeof name, "examples/%s", *files);
        if (!join(folder, name, path) || access(path, R_OK) != 0)
            return false;
    }
    return true;
}

/* The folder of the program itself: links to it are followed. */
static bool program_folder(char out[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", out, PATH_MAX - 1);
    if (length <= 0 || length >= PATH_MAX - 1)
        return false;
    out[length] = '\0';
    char *slash = strrchr(out, '/');
    if (!slash)
        return false;
    slash[slash == out] = '\0';
    return true;
}

/* Joins the program's folder and `path`; each ".." at the start of `path` removes a part of the folder. */
static bool resolve(const char *program, const char *path, char out[PATH_MAX])
{
    char folder[PATH_MAX];
    if (*path == '/')
        return join("", path, out);
    snprintf(folder, sizeof folder, "%s", program);
    while (strncmp(path, "..", 2) == 0 && (path[2] == '/' || !path[2])) {
        char *slash = strrchr(folder, '/');
        if (!slash)
            return false;
        slash[slash == folder] = '\0';
        path += path[2] ? 3 : 2;
    }
    return *path ? join(folder, path, out) : join("", folder, out);
}

/* Finds the folder with docs/ and examples/; "": the current one. All `files`, ended by NULL, must be in examples/.
 * False: there is no such folder. */
static bool examples_folder_find(const char *const *files, char folder[PATH_MAX])
{
    static const char *const places[] = {GRIDCAST_DOCDIR, "..", "../.."}; /* the last two: below the source tree */
    char program[PATH_MAX];
    folder[0] = '\0';
    if (has_all("", files))
        return true;
    if (!program_folder(program))
        return false;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (resolve(program, places[i], folder) && has_all(folder, files))
            return true;
    return false;
}

/* Commands to try. */

typedef struct trial {
    const char *what;   /* what it shows */
    const char *before; /* the words before the example, or all of them */
    const char *file;   /* the example; NULL: it needs none */
    const char *after;  /* the words behind it, with a space before each */
} trial;

#define TRIALS 3

static const trial with_examples[TRIALS] = {
    {"four kernels on a Jetson TX2: when each starts and ends", "simulate", "thesis.json", ""},
    {"why the kernel K3 ends last", "explain", "thesis.json", " K3"},
    {"are the deadlines of a camera and a map met on an H200, whatever happens?", "analyze", "05-camera.json",
     " --gpu h200"},
};

/* For a program that was copied without its examples. */
static const trial without_examples[TRIALS] = {
    {"how many blocks of a kernel an SM of an H200 holds, and why not more",
     "occupancy --gpu h200 --block 256 --registers 64", NULL, ""},
    {"what gridcast knows of a Jetson TX2, and the sources", "gpus tx2", NULL, ""},
    {"how much faster a program gets when kernels launch kernels", "spawn --app mandel --input mandel:64", NULL, ""},
};

/* A word of a command line, in quotes where a shell needs them. */
static void print_word(const char *word, FILE *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+,@%=";
    if (!word[strspn(word, plain)]) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

/* Control characters must not reach the terminal. */
static bool can_be_shown(const char *word)
{
    for (; *word; word++)
        if ((unsigned char)*word < ' ' || *word == 0x7f)
            return false;
    return true;
}

static void print_trial(const trial *t, const char *program, const char *folder, FILE *out)
{
    char path[PATH_MAX + 64];
    fprintf(out, "  # %s\n  ", t->what);
    print_word(program, out);
    fprintf(out, " %s", t->before);
    if (t->file) {
        snprintf(path, sizeof path, "%s%sexamples/%s", folder, *folder ? "/" : "", t->file);
        fputc(' ', out);
        print_word(path, out);
    }
    fprintf(out, "%s\n", t->after);
}

void print_welcome(const char *called, FILE *out)
{
    static const char *const files[] = {"thesis.json", "05-camera.json", NULL};
    char folder[PATH_MAX], page[PATH_MAX + 64];
    bool found = examples_folder_find(files, folder) && can_be_shown(folder);
    const trial *trials = found ? with_examples : without_examples;
    /* a name without a slash was found by the shell, which will find `gridcast` again */
    const char *program = called && strchr(called, '/') && can_be_shown(called) ? called : "gridcast";
    fputs("gridcast predicts when GPU kernels will finish, block by block, before they run.\nIt needs no GPU, only a "
          "file that says which kernels are launched. Try:\n\n",
          out);
    for (size_t i = 0; i < TRIALS; i++)
        print_trial(&trials[i], program, folder, out);
    fputs("\n  ", out);
    print_word(program, out);
    fputs(" --help lists all commands", out);
    if (found) {
        snprintf(page, sizeof page, "%s%sdocs/tutorial.md", folder, *folder ? "/" : "");
        fputs(";\n  ", out);
        print_word(page, out);
        fputs(" shows them one by one", out);
    }
    fputc('\n', out);
}
