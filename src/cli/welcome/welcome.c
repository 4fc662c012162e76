#include "cli/welcome/welcome.h"

#include <stdbool.h>
#include <string.h>

#include "cli/welcome/examples_folder.h"

/* A command to try. */
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

/* Where there are no examples, such as beside a program that was copied alone. */
static const trial without[TRIALS] = {
    {"how many blocks of a kernel an SM of an H200 holds, and why not more",
     "occupancy --gpu h200 --block 256 --registers 64", NULL, ""},
    {"what is known of a Jetson TX2, and from where", "gpus tx2", NULL, ""},
    {"what it brings when kernels launch kernels", "spawn --app mandel --input mandel:64", NULL, ""},
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

/* A control character must not reach the terminal. */
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
    const trial *trials = found ? with_examples : without;
    /* without a slash the shell found it, and will find it again */
    const char *program = called && strchr(called, '/') && can_be_shown(called) ? called : "gridcast";
    fputs("gridcast tells when GPU kernels will finish, block by block, before they run.\n"
          "It needs no GPU, only a file that says which kernels are launched. Try:\n\n",
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
