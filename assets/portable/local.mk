# local.mk: one tarball that runs from any folder of any x86-64 Linux of the last ten years; README.md says how
EXTRA_DIST += %D%/README.md %D%/check %D%/make-libs %D%/old_libc.c
# Only the C library is looked for at run time: everything else goes into the program.
static_libs = LUA_LIBS='-Wl,-Bstatic $(LUA_LIBS) -Wl,-Bdynamic' SQLITE_LIBS='-Wl,-Bstatic $(SQLITE_LIBS) -Wl,-Bdynamic' \
	ZSTD_LIBS='-Wl,-Bstatic $(ZSTD_LIBS) -Wl,-Bdynamic' NCURSES_LIBS='-Wl,-Bstatic $(NCURSES_LIBS) -Wl,-Bdynamic'
portable = lanescope-$(PACKAGE_VERSION)-x86_64-linux
portable_libc = 2.17
portable_wraps = __libc_start_main iswprint mbrtowc nl_langinfo wcrtomb wcwidth
portable_flags = -static-libgcc -Lportable-libs -Wl,--no-as-needed -lpthread -ldl -lutil $(portable_wraps:%=-Wl,--wrap=%) old_libc.$(OBJEXT)
portable_terminals = ansi dumb linux putty putty-256color rxvt rxvt-256color rxvt-unicode rxvt-unicode-256color screen screen-256color \
	tmux tmux-256color vt100 vt220 xterm xterm-16color xterm-256color xterm-color xterm-kitty alacritty foot konsole-256color \
	vte-256color
.PHONY: portable check-portable clean-portable
portable: $(portable).tar.xz
$(portable).tar.xz: lanescope$(EXEEXT) %D%/make-libs %D%/check old_libc.$(OBJEXT)
	rm -rf portable-libs $(portable)
	CC="$(CC)" sh $(srcdir)/%D%/make-libs portable-libs $(portable_libc)
	$(MAKE) $(AM_MAKEFLAGS) EXEEXT=.portable $(static_libs) LIBS="$(portable_flags) $(LIBS)" lanescope.portable
	sh $(srcdir)/%D%/check --symbols lanescope.portable $(portable_libc)
	$(MKDIR_P) $(portable)/terminfo
	strip -o $(portable)/lanescope lanescope.portable && rm lanescope.portable
	(cd $(srcdir) && tar cf - $(data_folders) LICENSE) | (cd $(portable) && tar xf -)
	cp $(srcdir)/%D%/README.md $(portable)
	for name in $(portable_terminals); do \
	  if infocmp -x $$name >$(portable)/terminal 2>/dev/null; then tic -x -o $(portable)/terminfo $(portable)/terminal || exit 1; fi; \
	done
	rm -f $(portable)/terminal
	tar cJf $@ --owner=0 --group=0 $(portable)
	rm -rf portable-libs $(portable)
old_libc.$(OBJEXT): %D%/old_libc.c
	$(AM_V_CC)$(CC) $(DEFS) $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) -c -o $@ $(srcdir)/%D%/old_libc.c
# Runs it in a root that has nothing but a C library (needs root).
check-portable: portable
	sh $(srcdir)/%D%/check $(portable).tar.xz
clean-portable:
	rm -rf portable-libs $(portable) $(portable).tar.xz old_libc.$(OBJEXT)
