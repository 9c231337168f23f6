import { readEvents } from './readEvents';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Creates a body that records whether its reader has cancelled it. */
function createBody() {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const seen = { isCancelled: false };
  const body = new ReadableStream<Uint8Array>({
    start(started) {
      controller = started;
    },
    cancel() {
      seen.isCancelled = true;
    },
  });
  const send = (text: string) =>
    controller.enqueue(new TextEncoder().encode(text));
  return { body, seen, send, end: () => controller.close() };
}

/** Collects all events until the body ends. */
async function collect(body: ReadableStream<Uint8Array>) {
  const events: string[] = [];
  for await (const event of readEvents(body)) {
    events.push(event);
  }
  return events;
}

it('reads the data of events that arrive in pieces', async () => {
  const { body, send, end } = createBody();
  const events = collect(body);
  send('event: changed\ndata: {"a"');
  send(':1}\n\n: keep-alive\n\ndata: 2\n\n');
  end();
  expect(await events).toEqual(['{"a":1}', '2']);
});

it('ends when even the keep-alives of the server are missing', async () => {
  const { body, seen, send } = createBody();
  const events = collect(body);
  let hasEnded = false;
  void events.then(() => {
    hasEnded = true;
  });
  send('data: 1\n\n');
  for (let minute = 0; minute < 3; minute += 1) {
    await vi.advanceTimersByTimeAsync(50_000);
    send(': keep-alive\n\n');
  }
  await vi.advanceTimersByTimeAsync(50_000);
  expect(hasEnded).toBe(false);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(hasEnded).toBe(true);
  expect(await events).toEqual(['1']);
  expect(seen.isCancelled).toBe(true);
});

it('closes the connection if its reader stops', async () => {
  const { body, seen, send } = createBody();
  send('data: 1\n\n');
  for await (const event of readEvents(body)) {
    expect(event).toBe('1');
    break;
  }
  expect(seen.isCancelled).toBe(true);
});
