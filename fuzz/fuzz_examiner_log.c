/* Logs of the examiner, and a configuration: files in one input, each from a line that names it to the next such line.
 * What reads as a scenario is scored, and as a corpus it reads again. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/examiner/log_scenario.h"
#include "gridcast/gridcast.h"
#include "model/scenario.h"
#include "verify/score.h"

#define MARK "== " /* a line that names a file begins with it */
#define MAX_FILES 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool ok, const char *message)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", message);
    abort();
}

static bool is_mark(const char *at, const char *end)
{
    return (size_t)(end - at) >= strlen(MARK) && memcmp(at, MARK, strlen(MARK)) == 0;
}

/* The line after the one at p, or the end. */
static char *next_line(char *p, const char *end)
{
    char *line_end = memchr(p, '\n', (size_t)(end - p));
    return line_end ? line_end + 1 : (char *)end;
}

/* Cuts the text into files, with NUL behind names. */
static size_t cut(char *text, size_t size, gcast_log_file files[MAX_FILES])
{
    char *p = text, *end = text + size;
    size_t count = 0;
    while (p < end && count < MAX_FILES) {
        gcast_log_file *file = &files[count++];
        file->name = "log.json";
        if (is_mark(p, end)) {
            file->name = p + strlen(MARK);
            p = next_line(p, end);
            p[-1] = '\0'; /* of the last file, too: there is a line end behind the input */
        }
        file->text = p;
        while (p < end && !is_mark(p, end))
            p = next_line(p, end);
        file->size = (size_t)(p - file->text);
    }
    return count;
}

/* Too much for one input of a fuzzer, not for the simulator. */
static bool is_small(const gcast_workload *w)
{
    uint64_t blocks = 0;
    for (size_t i = 0; i < w->op_count; i++)
        blocks += w->ops[i].blocks;
    return blocks < 5000;
}

static void check_corpus(const gcast_scenario *s)
{
    gcast_error err;
    gcast_corpus *corpus;
    gcast_scenario *reread;
    char *line;
    size_t size;
    check(gcast_scenario_write(s, &line, &size, &err) == GCAST_OK, err.message);
    check(gcast_corpus_read(line, size, "again", &corpus, &err) == GCAST_OK, err.message);
    check(gcast_corpus_next(corpus, &reread, &err) == GCAST_OK && reread, err.message);
    for (size_t i = 0; i < s->run_count; i++)
        check(gcast_run_compare(reread->runs[i], s->runs[i]).error_ns == 0, "other times in the corpus");
    gcast_scenario_free(reread);
    gcast_corpus_close(corpus);
    free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gcast_log_file files[MAX_FILES];
    gcast_error err;
    gcast_gpu *gpu;
    gcast_scenario *s;
    char *text = malloc(size + 1);
    if (!text || gcast_gpu_preset("tx2", &gpu, &err) != GCAST_OK)
        abort();
    if (size)
        memcpy(text, data, size);
    text[size] = '\n';
    size_t count = cut(text, size + 1, files);
    if (gcast_scenario_read_logs(files, count, gpu, &s, &err) != GCAST_OK) {
        check(s == NULL && err.message[0] && err.code != GCAST_OK && err.code != GCAST_INTERNAL, "a bad failure");
    } else {
        gcast_score score;
        gcast_agreement worst;
        check(s->run_count > 0 && s->workload->op_count > 0, "an empty scenario");
        if (is_small(s->workload) && s->run_count < 20) {
            gcast_score_options options = gcast_score_options_default();
            options.trials = 2;
            check(gcast_scenario_score(s, NULL, &options, &score, &worst, &err) != GCAST_INTERNAL, err.message);
            check_corpus(s);
        }
        gcast_scenario_free(s);
    }
    gcast_gpu_free(gpu);
    free(text);
    return 0;
}
