# shellcheck shell=sh
# Shared by the scripts beside it, which set $root, the repository's folder.
: "${root:?}"

say() { printf '%s\n' "$*"; }
fail() { say "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# rustup puts cargo here; a shell opened before its installation cannot see it.
have cargo || PATH=$PATH:${CARGO_HOME:-$HOME/.cargo}/bin
export PATH

engine_version=$(cat "$root/engine-version")
engine_dir=${XDG_CACHE_HOME:-$HOME/.cache}/inkstone/engine/$engine_version
engine_binary=$engine_dir/bin/secantusd-rs

# True if the engine has still to be installed. INKSTONE_ENGINE names another.
engine_missing() { [ -z "${INKSTONE_ENGINE:-}" ] && ! [ -x "$engine_binary" ]; }

# --- Builds side by side: start each, then follow_builds until all are done. ---

work=   # a temporary folder with one log per build
builds= # NAME:PID of each build under way

# start NAME COMMAND...
start() {
  if [ -z "$work" ]; then
    work=$(mktemp -d "${TMPDIR:-/tmp}/inkstone-build.XXXXXX")
    trap 'give_up 129' HUP
    trap 'give_up 130' INT
    trap 'give_up 143' TERM
  fi
  build=$1
  shift
  # setsid makes it a process group, so that stop_builds reaches its compilers.
  # The progress bar is asked for because it has the only count of crates.
  CARGO_TERM_PROGRESS_WHEN=always CARGO_TERM_PROGRESS_WIDTH=80 \
    CARGO_TERM_COLOR=never CARGO_TERM_QUIET=false \
    setsid "$@" >"$work/$build.log" 2>&1 </dev/null &
  builds="$builds $build:$!"
}

stop_builds() {
  for build in $builds; do
    pid=${build#*:}
    # The only form for a group that dash knows is the one with -s. The second
    # kill is for a build so young that it has no group yet.
    kill -s TERM -- "-$pid" 2>/dev/null || kill -s TERM "$pid" 2>/dev/null || :
    wait "$pid" 2>/dev/null || :
  done
  builds=
}

give_up() {
  trap '' HUP INT TERM
  [ ! -t 1 ] || say
  say 'Stopping the builds.' >&2
  stop_builds
  rm -rf "$work"
  exit "$1"
}

# Prints how far a build is: crates done/all, or else what it said last.
progress() {
  tail -c 4000 "$work/$1.log" | tr '\r' '\n' >"$work/tail"
  count=$(sed -n 's/^ *Building \[[=> ]*\] \([0-9]*\/[0-9]*\).*/\1 crates/p' "$work/tail" | tail -n 1)
  [ -n "$count" ] || count=$(tail -n 1 "$work/tail" | sed 's/^ *//' | cut -c 1-50)
  printf '%s' "${count:-starting}"
}

show_progress() {
  line=
  for build in $builds; do
    line="$line${line:+, }${build%:*} $(progress "${build%:*}")"
  done
  line="$line ($seconds s)"
  if [ -t 1 ]; then
    printf '\r\033[K%s' "$line"
  elif [ "$seconds" -ge "$next_line" ]; then
    say "$line"
    next_line=$((seconds + 15))
  fi
}

# follow_builds COMMAND: COMMAND is what to run again after a failure.
follow_builds() {
  began=$(date +%s)
  next_line=15
  while [ -n "$builds" ]; do
    sleep 1
    seconds=$(($(date +%s) - began))
    running=
    for build in $builds; do
      name=${build%:*} pid=${build#*:}
      if kill -0 "$pid" 2>/dev/null; then
        running="$running $build"
        continue
      fi
      [ ! -t 1 ] || printf '\r\033[K'
      wait "$pid" || build_failed "$name" "$1"
      say "$name: built in $seconds s"
    done
    builds=$running
    [ -z "$builds" ] || show_progress
  done
  trap - HUP INT TERM
  rm -rf "$work"
  work=
}

build_failed() {
  stop_builds
  # The log without the progress bar.
  log=$work/$1.txt
  tr '\r' '\n' <"$work/$1.log" | sed '/^ *[A-Z][a-z]* \[[=> ]*\]/d' >"$log"
  rm -f "$work"/*.log "$work/tail"
  {
    say "$1: the build failed. Its last lines:"
    tail -n 20 "$log" | sed 's/^/  /'
    if grep -Eiq 'failed to download|download of|could(n.t| not) (resolve|connect)|network' "$log"; then
      say 'Crates could not be downloaded: is there a network?'
    fi
    say "The whole log: $log"
    say "To try again:  $2"
  } >&2
  exit 1
}
