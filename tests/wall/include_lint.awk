# Checks every #include of the tree against the arrows between folders. Run by include_lint.

# Folder of a file below core or ui, or of a program below app: its first two parts.
function folder_of(path,    parts) {
    return split(path, parts, "/") < 2 ? path : parts[1] "/" parts[2]
}

function complain(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text
    complaints++
}

# A folder may use itself, what it names ("core" and "ui" name everything below them), and so on.
function may_use(from, to,    parts, count, i) {
    if (from == to || to == "resources")
        return 1
    if ((from, to) in known)
        return known[from, to]
    known[from, to] = 0
    count = split(arrows[from], parts, " ")
    for (i = 1; i <= count; i++)
        if (index(to "/", parts[i] "/") == 1 || may_use(parts[i], to))
            return known[from, to] = 1
    return 0
}

# The rooms where Qt may not come in at all, and those that may use Qt Core and Gui only.
function without_qt(folder) { return folder ~ /^(core\/|resources)/ || folder == "app/shardrack_cli" }
function without_widgets(folder) { return folder ~ /^ui\/(document|commands|models|paint|report)$/ }

function is_qt(header) { return header ~ /^(Q[A-Z]|Qt[A-Z]|q[a-z0-9_]+\.h$|qcustomplot)/ }
function is_widgets(header,    line) {
    if (header ~ /^(QtWidgets|QtPrintSupport|qcustomplot)/)
        return 1
    return widget_headers[header]
}

# Subfolders belong to their folder, whatever depth.
BEGIN {
    for (i = 1; i < ARGC; i++) {
        count = ARGV[i] ~ /^\// ? 0 : split(ARGV[i], parts, "/")
        for (j = 3; j < count; j++)
            home[parts[j]] = parts[1] "/" parts[2]
    }
}

FILENAME == arrow_file {
    sub(/#.*/, "")
    if (NF) {
        folder = $1
        $1 = ""
        arrows[folder] = $0
        split(folder, parts, "/")
        if (parts[1] != "app")
            home[parts[2]] = folder
    }
    next
}

FILENAME == widget_file {
    widget_headers[$1] = 1
    next
}

FNR == 1 {
    folder = folder_of(FILENAME)
    if (folder ~ /^resources/)
        folder = "resources"
    else if (!(folder in arrows))
        complain("the folder " folder " is not in the table of arrows")
}

FNR == 501 { printf "note: %s has more than 500 lines\n", FILENAME }

/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
    header = $0
    sub(/^[ \t]*#[ \t]*include[ \t]*[<"]/, "", header)
    sub(/[>"].*/, "", header)
    quoted = $0 ~ /include[ \t]*"/

    if (is_qt(header) && without_qt(folder))
        complain(folder " must stay free of Qt: " header)
    else if (is_widgets(header) && without_widgets(folder))
        complain(folder " may use Qt Core and Gui only: " header)
    if (is_qt(header) || header ~ /\.moc$|^moc_/)
        next
    if (!quoted) {
        # A name without a folder is the standard library's: ours are folder/file.
        if (split(header, parts, "/") > 1 && home[parts[1]] != "")
            complain("write our own headers in quotes: " header)
        next
    }

    if (header ~ /(^|\/)\.\.?\//)
        complain("a path that climbs: " header)
    else if (split(header, parts, "/") == 1) {
        if (folder !~ /^app\//)
            complain("write the folder before the file: " header)
    } else {
        target = parts[1] == "resources" ? "resources" : home[parts[1]]
        if (target == "" && folder !~ /^app\//)
            complain("no folder is called " parts[1] ": " header)
        else if (target != "" && !may_use(folder, target))
            complain(folder " may not use " target ": " header)
    }
}

END { exit complaints > 0 }
