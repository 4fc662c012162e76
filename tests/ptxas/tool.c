/* What tests/ptxas/record needs beside ptxas:
 *   ptxas_tool rules FILE TARGET          the module of FILE's statements, to the standard output
 *   ptxas_tool random KIND SEED COUNT TARGET
 *   ptxas_tool letters FILE.ptx FILE.cubin   a line for each function: its name, and letters.h of it
 *   ptxas_tool predict FILE.ptx */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/module.h"
#include "ptxas/letters.h"
#include "ptxas/snippets.h"

static void fail(const char *message)
{
    fprintf(stderr, "ptxas_tool: %s\n", message);
    exit(1);
}

static char *read_all(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *bytes = NULL;
    *size = 0;
    for (size_t cap = 0, n = 1; f && n; *size += n) {
        if (*size + 65536 > cap && !(bytes = realloc(bytes, cap = cap * 2 + 131072)))
            fail("no memory");
        n = fread(bytes + *size, 1, 65536, f);
    }
    if (!f || ferror(f))
        fail(path);
    fclose(f);
    bytes[*size] = '\0';
    return bytes;
}

static bool to_stdout(void *data, const char *bytes, size_t size)
{
    (void)data;
    return fwrite(bytes, 1, size, stdout) == size;
}

static void end(text *t)
{
    gcast_error err;
    if (text_finish(t, &err) != GCAST_OK)
        fail(err.message);
}

static void print_rules(const char *path, const char *target)
{
    size_t size;
    char *all = read_all(path, &size), *save = NULL;
    text t;
    text_open(&t, to_stdout, NULL);
    snippet_head(target, &t);
    for (char *line = strtok_r(all, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *statements = strchr(line, ' ');
        if (*line == '#' || !statements)
            continue;
        *statements++ = '\0';
        statements += strspn(statements, " ");
        snippet_kernel(line, statements, &t);
    }
    end(&t);
    free(all);
}

static void print_random(const char *kind, const char *seed, const char *count, const char *target)
{
    text t;
    int k = 0;
    while (k < SNIPPETS && strcmp(snippet_kind_name((snippet_kind)k), kind) != 0)
        k++;
    if (k == SNIPPETS)
        fail(kind);
    text_open(&t, to_stdout, NULL);
    snippet_head(target, &t);
    for (long i = 0; i < atol(count); i++) {
        char name[32];
        char *statements = snippet_random((snippet_kind)k, (uint64_t)(atol(seed) + i));
        snprintf(name, sizeof name, "k%ld", atol(seed) + i);
        snippet_kernel(name, statements, &t);
        free(statements);
    }
    end(&t);
}

static void print_letters(const char *ptx, const char *cubin)
{
    size_t size, cubin_size, lines = 1;
    char *source = read_all(ptx, &size), *bytes = cubin ? read_all(cubin, &cubin_size) : NULL, out[MOST_LETTERS];
    ptx_module *m;
    gcast_error err;
    for (size_t i = 0; i < size; i++)
        lines += source[i] == '\n';
    cubin_line *line = calloc(lines + 1, sizeof *line);
    if (ptx_parse(source, size, &m, &err) != GCAST_OK)
        fail(err.message);
    if (!line || (bytes && !cubin_lines(bytes, cubin_size, line, lines)))
        fail(cubin);
    for (uint32_t i = 0; i < m->functions; i++) {
        if (!m->function[i]->has_body)
            continue;
        if (bytes)
            letters_recorded(m->function[i], line, lines, out);
        else
            letters_predicted(m->function[i], out);
        printf("%s %s\n", m->function[i]->name, *out ? out : ".");
    }
    ptx_free(m);
    free(line);
    free(source);
    free(bytes);
}

int main(int count, char **word)
{
    if (count == 4 && strcmp(word[1], "rules") == 0)
        print_rules(word[2], word[3]);
    else if (count == 6 && strcmp(word[1], "random") == 0)
        print_random(word[2], word[3], word[4], word[5]);
    else if (count == 4 && strcmp(word[1], "letters") == 0)
        print_letters(word[2], word[3]);
    else if (count == 3 && strcmp(word[1], "predict") == 0)
        print_letters(word[2], NULL);
    else
        fail("rules, random, letters or predict");
    return 0;
}
