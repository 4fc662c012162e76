# Writes OUT: the man page IN with the folder of the documentation in place of
# @DOCDIR@. It is known when a tree is installed, not when it is built. In roff
# \% keeps a path in one piece and \- is a plain minus.
cmake_policy(PUSH)
cmake_policy(VERSION 3.22)
file(READ "${IN}" page)
string(REPLACE "\\" "\\\\" docdir "${DOCDIR}")
string(REPLACE "-" "\\-" docdir "${docdir}")
string(REPLACE "@DOCDIR@" "\\%${docdir}" page "${page}")
if(page MATCHES "\n\\.TS") # that tbl lays out tables is said in the first line
  string(PREPEND page "'\\\" t\n")
endif()
file(WRITE "${OUT}" "${page}")
cmake_policy(POP)
