#!/bin/sh
# Finds the code that matters to a task: `graph-rag.sh --query "how are sessions saved" --format json`.
exec "$(dirname "$0")/trailmark.sh" graph-rag "$@"
