# SPDX-License-Identifier: GPL-3.0-or-later
# length.awk - the lines between the braces of every function: "N file:line name".
# Relies on the layout: the name starts a line, "{" and "}" stand alone in column 0.
FNR == 1 { inside = 0 }
/^[a-z_][A-Za-z0-9_]*\(/ { name = $0; sub(/\(.*/, "", name); at = FNR }
/^{$/ { inside = FNR }
/^}/ { if (inside) print FNR - inside - 1, FILENAME ":" at, name; inside = 0 }
