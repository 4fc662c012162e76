/* The files of `analyze -o`: an answer as a table or JSON, and as a picture. */
#ifndef CLI_ANALYZE_ANSWER_FILES_H
#define CLI_ANALYZE_ANSWER_FILES_H

#include "cli/args.h"
#include "gridcast/analyze.h"

#define ANSWER_FILE_OPTION                                                                                             \
    {                                                                                                                  \
        "output", 'o', "FILE", "as .txt .json, or as a picture .svg .png .pdf"                                         \
    }

/* Can all of them be written? Errors are printed. */
gcast_status answer_files_check(const args *a);
/* Is one of them standard output? */
bool answer_files_use_stdout(const args *a);
/* Pictures are not written where method thesis has no times. */
gcast_status answer_files_write(const args *a, const gcast_answer *answer);

#endif
