#!/bin/sh
# Stands beside one part and outlives the runner: ends the part's process group when the
# runner is gone without having said that the group is. A kill -9 leaves the runner no
# last word, but it closes descriptor 3.
#
# In shell, because one of these runs beside every part, at a tenth of a Node's memory.
#
# Usage: sh guard.sh <grace in seconds>
# Descriptor 0: what the part prints. Descriptor 1: the runner, to which it goes on.
# Descriptor 3, from the runner: the id of the group, and a second line once it is gone.

exec 4<&0 </dev/null
# A part that prints while it shuts down must not die of a broken pipe when the runner is
# gone: what the first cat cannot hand on any longer, the second one swallows.
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
