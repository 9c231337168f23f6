#!/bin/sh
# Guards one part and outlives the runner: ends the part's process group if the runner
# dies without reporting that the group has ended. After a kill -9 the runner cannot
# report anything, but the system closes descriptor 3.
#
# Written in shell, because one guard runs per part, at a tenth of the memory of Node.
#
# Usage: sh guard.sh <grace in seconds>
# - Descriptor 0: output of the part.
# - Descriptor 1: forwards that output to the runner.
# - Descriptor 3, from the runner: the id of the group, and a second line once it has
#   ended.

exec 4<&0 </dev/null
# A part that prints while it shuts down must not die of a broken pipe when the runner is
# gone: the second cat discards what the first one can no longer forward.
{
  cat
  cat >/dev/null
} <&4 2>/dev/null 3<&- &
exec 4<&-

read -r group <&3 || exit 0
read -r over <&3 && exit 0

signal() { kill -s "$1" -- "-$group" 2>/dev/null; }

signal TERM
tenths=$(($1 * 10))
while signal 0 && [ "$tenths" -gt 0 ]; do
  sleep 0.1
  tenths=$((tenths - 1))
done
signal KILL
