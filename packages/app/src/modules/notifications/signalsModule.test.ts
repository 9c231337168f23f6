import { mockApis } from '@backstage/frontend-test-utils';
import { createSignals } from './signalsModule';

const OPENS_AFTER_MS = 5_000;

/** A connection that the browser delays, as it does after several failed ones. */
class SlowSocket {
  static readonly OPEN = 1;
  static readonly CLOSED = 3;
  static readonly sockets: SlowSocket[] = [];
  readyState = 0;
  readonly sent: string[] = [];

  constructor() {
    SlowSocket.sockets.push(this);
    setTimeout(() => {
      this.readyState = SlowSocket.OPEN;
    }, OPENS_AFTER_MS);
  }

  send(message: string) {
    this.sent.push(message);
  }

  close() {
    this.readyState = SlowSocket.CLOSED;
  }
}

it('waits for a connection that the browser delays', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', SlowSocket);
  try {
    const signals = createSignals({
      identity: mockApis.identity(),
      discoveryApi: mockApis.discovery(),
    });
    signals.subscribe('notifications', () => {});
    await vi.advanceTimersByTimeAsync(2 * OPENS_AFTER_MS);
    const [socket, ...others] = SlowSocket.sockets;
    expect(others).toEqual([]);
    expect(socket.sent).toEqual([
      JSON.stringify({ action: 'subscribe', channel: 'notifications' }),
    ]);
  } finally {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  }
});
