/* Runs a fuzz target over files and folders of files, without libFuzzer. */
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return -1;
    int count = 0;
    if (S_ISDIR(st.st_mode)) {
        DIR *dir = opendir(path);
        for (struct dirent *e; dir && (e = readdir(dir));) {
            char child[4096];
            if (e->d_name[0] == '.')
                continue;
            snprintf(child, sizeof child, "%s/%s", path, e->d_name);
            int n = replay(child);
            count = n < 0 || count < 0 ? -1 : count + n;
        }
        if (dir)
            closedir(dir);
        return count;
    }
    FILE *f = fopen(path, "rb");
    uint8_t *data = malloc((size_t)st.st_size + 1);
    bool ok = f && data;
    if (ok)
        LLVMFuzzerTestOneInput(data, fread(data, 1, (size_t)st.st_size, f));
    if (f)
        fclose(f);
    free(data);
    return ok ? 1 : -1;
}

int main(int argc, char **argv)
{
    int count = 0;
    for (int i = 1; i < argc; i++) {
        int n = replay(argv[i]);
        if (n < 0) {
            fprintf(stderr, "%s: cannot read\n", argv[i]);
            return 1;
        }
        count += n;
    }
    printf("%d inputs\n", count);
    return count > 0 ? 0 : 1;
}
