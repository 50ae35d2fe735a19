#!/bin/sh
# Runs trailmark: the program that TRAILMARK names, the one on the PATH, or the one that was built in this checkout.
built="$(cd "$(dirname "$0")/.." && pwd)/target/release/trailmark"
for program in "${TRAILMARK:-}" trailmark "$built"; do
  if [ -n "$program" ] && command -v "$program" >/dev/null 2>&1; then
    exec "$program" "$@"
  fi
done
echo "error: trailmark is not on the PATH; install it, run \`cargo build --release\`, or set TRAILMARK to its path" >&2
exit 2
