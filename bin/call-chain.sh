#!/bin/sh
# Follows calls from a symbol: `call-chain.sh --symbol checkout --format json`.
exec "$(dirname "$0")/trailmark.sh" call-chain "$@"
