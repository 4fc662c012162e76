#include "cli/output/capture.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/text/text.h"

#define CHUNK_BYTES 65536

bool print_bytes(const char *bytes, size_t size)
{
    if (!isatty(STDOUT_FILENO)) {
        fwrite(bytes, 1, size, stdout); /* main() looks at the stream's error flag */
        return true;
    }
    text t;
    text_open(&t, NULL, NULL);
    text_terminal_lines(&t, bytes, size);
    char *shown = text_take(&t, &size);
    bool ok = shown != NULL;
    if (ok)
        fwrite(shown, 1, size, stdout);
    free(shown);
    return ok;
}

bool capture_start(capture *c)
{
    fflush(stdout);
    c->file = tmpfile();
    c->saved = c->file ? dup(STDOUT_FILENO) : -1;
    if (c->saved >= 0 && dup2(fileno(c->file), STDOUT_FILENO) >= 0)
        return true;
    int reason = errno;
    if (c->saved >= 0)
        close(c->saved);
    if (c->file)
        fclose(c->file);
    errno = reason;
    return false;
}

bool capture_end(capture *c, void (*print)(void *data, const char *bytes, size_t size), void *data)
{
    static char chunk[CHUNK_BYTES];
    bool ok = fflush(stdout) == 0 && !ferror(stdout);
    int reason = errno;
    clearerr(stdout);
    dup2(c->saved, STDOUT_FILENO);
    close(c->saved);
    rewind(c->file);
    for (size_t n; ok && (n = fread(chunk, 1, sizeof chunk, c->file)) > 0;)
        print(data, chunk, n);
    if (ok && ferror(c->file)) {
        ok = false;
        reason = errno;
    }
    fclose(c->file);
    errno = reason;
    return ok;
}
