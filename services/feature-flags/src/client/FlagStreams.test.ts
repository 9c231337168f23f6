import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { ChangeStream } from '../history/ChangeStream.ts';
import type { ApiToken } from '../model/ApiToken.ts';
import type { FlagDelta } from '../storage/FlagStore.ts';
import { FlagSnapshot } from './FlagSnapshot.ts';
import { FlagStreams } from './FlagStreams.ts';
import { scopeQuery } from './scopeQuery.ts';

const query = scopeQuery({ projects: ['*'], environment: 'development' });

/** A connection whose congestion the test controls. */
class SlowResponse extends EventEmitter {
  readonly written: string[] = [];
  writableNeedDrain = false;

  write(text: string): boolean {
    this.written.push(text);
    return !this.writableNeedDrain;
  }

  end(): void {}

  drain(): void {
    this.writableNeedDrain = false;
    this.emit('drain');
  }
}

const asResponse = (response: SlowResponse) =>
  response as unknown as ServerResponse;

/** Opens a snapshot that reads the given states of databases, one after the other. */
async function openSnapshot(...deltas: (FlagDelta | Promise<FlagDelta>)[]) {
  const snapshot = new FlagSnapshot({
    flags: { changedSince: async () => deltas.shift()! },
    segments: { list: async () => [] },
  });
  await snapshot.refresh();
  return snapshot;
}

const first = { lineage: '00000000', revision: 1, deletion: 0, flags: [] };
const restored = { lineage: '11111111', revision: 5, deletion: 0, flags: [] };

it('an SDK that reads on while another database is loaded gets its flags afterwards', async () => {
  let load = () => {};
  const loaded = new Promise<FlagDelta>(resolve => {
    load = () => resolve(restored);
  });
  const snapshot = await openSnapshot(first, restored, loaded);
  const streams = new FlagStreams({ snapshot, isValid: () => true, most: 1 });
  const response = new SlowResponse();
  response.writableNeedDrain = true;
  streams.add(asResponse(response), {
    query,
    token: {} as ApiToken,
    first: streams.open(query, undefined),
  });
  const changed = snapshot.refresh();
  await vi.waitUntil(() => !snapshot.isLoaded);
  response.drain();
  expect(response.written).toHaveLength(1);
  load();
  await changed;
  expect(response.written.at(-1)).toMatch(
    /^event: unleash-updated\nid: 11111111:5\n.*"hydration"/,
  );
  streams.close();
});

it('says that an SDK is there for as long as its stream is open', async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const snapshot = await openSnapshot(first);
  const streams = new FlagStreams({ snapshot, isValid: () => true, most: 1 });
  const response = new SlowResponse();
  const noteAlive = vi.fn();
  streams.add(asResponse(response), {
    query,
    token: {} as ApiToken,
    first: streams.open(query, undefined),
    noteAlive,
  });
  vi.advanceTimersByTime(60_000);
  expect(noteAlive).toHaveBeenCalledTimes(4);
  response.emit('close');
  vi.advanceTimersByTime(60_000);
  expect(noteAlive).toHaveBeenCalledTimes(4);
  streams.close();
});

it('a page that did not read is told of changes once it reads', async () => {
  const snapshot = await openSnapshot(first, { ...first, revision: 2 });
  const stream = new ChangeStream({ snapshot, most: 1 });
  const response = new SlowResponse();
  stream.add(asResponse(response));
  response.writableNeedDrain = true;
  await snapshot.refresh();
  expect(response.written).toHaveLength(1);
  response.drain();
  expect(response.written.at(-1)).toContain('"revision":2');
  stream.close();
});
