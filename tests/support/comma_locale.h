/* A locale with a decimal comma, also where none is installed. */
#ifndef TESTS_SUPPORT_COMMA_LOCALE_H
#define TESTS_SUPPORT_COMMA_LOCALE_H

/* The name of one, for setlocale(LC_NUMERIC); NULL: there is none. The locale is "C" after that. */
const char *comma_locale_make(void);
void comma_locale_end(void);

#endif
