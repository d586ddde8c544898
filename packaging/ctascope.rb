# SPDX-License-Identifier: GPL-3.0-or-later
# Homebrew formula; brew install --HEAD ./packaging/ctascope.rb, in a clone of the repository.
class Ctascope < Formula
  desc "Terminal debugger for GPU thread-block scheduling"
  homepage "file://#{File.expand_path("..", __dir__)}"
  license "GPL-3.0-or-later"
  head "file://#{File.expand_path("..", __dir__)}/.git", using: :git, branch: "main"

  depends_on "autoconf" => :build
  depends_on "automake" => :build
  depends_on "pkgconf" => :build
  depends_on "cairo"
  depends_on "libcsv"
  depends_on "ncurses"
  depends_on "readline"
  depends_on "xz"
  depends_on "zstd"
  uses_from_macos "zlib"

  def install
    system "autoreconf", "-fi"
    system "./configure", *std_configure_args, "CPPFLAGS=-I#{HOMEBREW_PREFIX}/include",
           "LDFLAGS=-L#{HOMEBREW_PREFIX}/lib"
    system "make"
    system "make", "install-strip"
  end

  test do
    assert_match "cycle", shell_output("#{bin}/ctascope --no-init --batch phase -e 'step 100' -e 'info gpu'")
  end
end
