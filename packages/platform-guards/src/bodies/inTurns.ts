import type { Readable } from 'node:stream';

/** Readers of bodies that wait for their turn of the event loop. */
const waiting: (() => void)[] = [];

function grantOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) {
    setImmediate(grantOne);
  }
}

function turn(): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve);
    if (waiting.length === 1) {
      setImmediate(grantOne);
    }
  });
}

/**
 * The chunks of a body that nobody vouches for yet. All such bodies of the process together
 * are read at one chunk (64 KiB or so) in each turn of the event loop, so that whoever sends
 * many megabytes at once delays others by a chunk, not by the megabytes. Who sends slowly
 * holds up nobody: a turn is asked for only once a chunk has come.
 *
 * The stream is left open when the caller stops early, so that it can still be answered.
 */
export async function* inTurns(body: Readable): AsyncGenerator<Buffer, void> {
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    yield chunk;
    await turn();
  }
}
