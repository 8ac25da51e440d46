// editor.h: the user's editor at a line of a file.
#ifndef LS_APP_EDITOR_H
#define LS_APP_EDITOR_H

// The line of shell that opens `path` at `line` (0: anywhere) in $VISUAL, else $EDITOR, else vi. Editors say in their
// own ways where to begin: a table knows them; one that it does not know gets the file alone. Caller frees.
char *editor_command(const char *path, int line);
// Its name, for people: "vim". Borrowed until the next call.
const char *editor_name(void);

#endif
