import { keepConnected } from './keepConnected';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Keeps a connection that the test can end or fail. */
function follow() {
  const ending = new AbortController();
  const connections: {
    onWorking(): void;
    end(): void;
    fail(): void;
  }[] = [];
  keepConnected(
    onWorking =>
      new Promise((end, reject) => {
        const fail = () => reject(new Error('lost'));
        connections.push({ onWorking, end, fail });
      }),
    ending.signal,
  );
  return { ending, connections };
}

it('connects again at once when a connection that has worked for a while ends', async () => {
  const { ending, connections } = follow();
  connections[0].onWorking();
  await vi.advanceTimersByTimeAsync(60_000);
  connections[0].end();
  await vi.advanceTimersByTimeAsync(1);
  expect(connections).toHaveLength(2);
  ending.abort();
});

it('waits after short connections, and longer after each failure', async () => {
  const { ending, connections } = follow();
  connections[0].onWorking();
  connections[0].end();
  await vi.advanceTimersByTimeAsync(999);
  expect(connections).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(connections).toHaveLength(2);
  connections[1].fail();
  await vi.advanceTimersByTimeAsync(1_999);
  expect(connections).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(connections).toHaveLength(3);
  ending.abort();
});

it('does not connect again once it is ended', async () => {
  const { ending, connections } = follow();
  connections[0].fail();
  ending.abort();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(connections).toHaveLength(1);
});

it('adds one listener to the signal, however often it connects', async () => {
  const signal = new AbortController().signal;
  const added = vi.spyOn(signal, 'addEventListener');
  const connect = vi.fn(() => Promise.reject(new Error('lost')));
  keepConnected(connect, signal);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(connect.mock.calls.length).toBeGreaterThan(3);
  expect(added).toHaveBeenCalledTimes(1);
});
