#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bootstrap.t - when bootstrap.sh configures: at first, with other arguments, and when the tree was copied or
# moved together with its build folder, whose makefile then names the old place. The tree is a toy, and so
# are autoreconf and configure. The real ones in a bare system: tests/bare/check-bare.sh.
. "${srcdir:-.}/tests/tap.sh"
cd "$tmp" || exit 99
tmp_there=$(pwd -P)
mkdir bin one
cp "$srcdir/bootstrap.sh" one
cat >bin/autoreconf <<'X'
#!/bin/sh
cat >configure <<'Y'
#!/bin/sh
top=$(cd "$(dirname "$0")" && pwd -P)
printf 'abs_top_srcdir = %s\nabs_top_builddir = %s\nall: a.o\na.o: ; echo from $(abs_top_srcdir) >$@\n' "$top" "$(pwd -P)" >Makefile
Y
chmod +x configure
: >Makefile.in
X
printf '#!/bin/sh\necho "Status: install ok installed"\n' >bin/dpkg
chmod +x bin/*
PATH=$tmp/bin:$PATH
unset BUILD CONFIGURE_ARGS

build() { "$1/bootstrap.sh" build 2>&1 | sed "s|$tmp_there/||g; s|$tmp/||g; s/^bootstrap: //"; }
is "at first it makes configure and runs it" "$(build one)" "making configure
configuring in one/build
building
built: one/build/ctascope"
is "a second call does not" "$(build one | sed 1q)" "building"
echo mine >one/build/mine.csv
echo old >one/build/config.h
cp -r one two
is "a copied tree is configured anew" "$(build two | sed 4q)" "two/build was configured for one: configuring anew
making configure
configuring in two/build
building"
is "and built of its own sources" "$(cat two/build/a.o)" "from $tmp_there/two"
is "what the build did not make stays" "$(cat two/build/mine.csv; cat two/build/config.h 2>/dev/null)" "mine"
is "the first tree is as it was" "$(build one | sed 1q) $(cat one/build/a.o)" "building from $tmp_there/one"
is "a second call in the copy is quick" "$(build two | sed 1q)" "building"
mv two three
is "a tree that was moved" "$(build three | sed 1q)" "three/build was configured for two: configuring anew"
ln -s three link
is "another way to the same place is none" "$(build link | sed 1q)" "building"
BUILD=$tmp/three/build
export BUILD
is "the build folder of another tree" "$(build one | sed 1q)" "three/build was configured for three: configuring anew"
mv "$tmp/three/build" "$tmp/build"
BUILD=$tmp/build
is "a build folder that was moved" "$(build one | sed 1q)" "build was configured for one: configuring anew"
unset BUILD
is "other arguments" "$(CONFIGURE_ARGS=--enable-werror build one | sed 1q)" "configuring in one/build"
done_testing
