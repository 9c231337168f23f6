import {
  renderInTestApp,
  TestApiProvider,
} from '@backstage/frontend-test-utils';
import { act, screen } from '@testing-library/react';
import { Flag, useFlag } from './Flag';
import {
  PortalFlags,
  type PortalFlagsApi,
  portalFlagsApiRef,
} from './PortalFlags';

/** The backend of the portal, with one stream. */
function fakeBackend(flags: Record<string, boolean>) {
  const asked: string[] = [];
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  let failing = 0;
  const notify = () =>
    stream?.enqueue(new TextEncoder().encode('data: {"changes":1}\n\n'));
  const api = new PortalFlags({
    discoveryApi: { getBaseUrl: async id => `http://portal/api/${id}` },
    fetchApi: {
      async fetch(input: RequestInfo | URL) {
        const url = new URL(String(input));
        asked.push(`${url.pathname}${url.search}`);
        if (url.pathname.endsWith('/changes')) {
          const body = new ReadableStream<Uint8Array>({
            start(controller) {
              stream = controller;
            },
          });
          notify();
          return new Response(body);
        }
        if (failing > 0) {
          failing -= 1;
          return Response.json({}, { status: 503 });
        }
        const names = url.searchParams.get('names')?.split(',') ?? [];
        return Response.json({
          flags: Object.fromEntries(
            names
              .filter(name => name in flags)
              .map(name => [name, flags[name]]),
          ),
        });
      },
    },
  });
  return {
    api,
    asked,
    notify,
    end: () => stream?.close(),
    failReads(count: number) {
      failing = count;
    },
    readsLeftToFail: () => failing,
  };
}

function Menu() {
  const isNew = useFlag('new-menu');
  return <p>{isNew ? 'New menu' : 'Old menu'}</p>;
}

const render = (api: PortalFlagsApi) =>
  renderInTestApp(
    <TestApiProvider apis={[[portalFlagsApiRef, api]]}>
      <Menu />
      <Flag name="unknown" fallback otherwise="Off">
        <p>On by default</p>
      </Flag>
      <Flag name="off" otherwise={<p>Without help</p>}>
        <p>With help</p>
      </Flag>
    </TestApiProvider>,
  );

it('shows which flags are on for the user, and streams changes over one connection', async () => {
  const flags: Record<string, boolean> = { 'new-menu': true, off: false };
  const backend = fakeBackend(flags);
  render(backend.api);
  expect(await screen.findByText('New menu')).toBeInTheDocument();
  expect(screen.getByText('On by default')).toBeInTheDocument();
  expect(screen.getByText('Without help')).toBeInTheDocument();

  flags['new-menu'] = false;
  flags.off = true;
  act(backend.notify);
  expect(await screen.findByText('Old menu')).toBeInTheDocument();
  expect(screen.getByText('With help')).toBeInTheDocument();
  expect(backend.asked).toEqual([
    '/api/feature-flags/portal-flags/changes',
    '/api/feature-flags/portal-flags?names=new-menu%2Cunknown%2Coff',
    '/api/feature-flags/portal-flags?names=new-menu%2Cunknown%2Coff',
  ]);
});

it('keeps the last value while the connection is down, and reconnects', async () => {
  const flags: Record<string, boolean> = { 'new-menu': true };
  const backend = fakeBackend(flags);
  render(backend.api);
  await screen.findByText('New menu');
  backend.end();
  flags['new-menu'] = false;
  expect(screen.getByText('New menu')).toBeInTheDocument();
  expect(await screen.findByText('Old menu')).toBeInTheDocument();
});

it('ignores a response that a later one has overtaken', async () => {
  const answers: ((isOn: boolean) => void)[] = [];
  let notify = () => {};
  const api = new PortalFlags({
    discoveryApi: { getBaseUrl: async () => 'http://portal' },
    fetchApi: {
      async fetch(input: RequestInfo | URL) {
        if (String(input).endsWith('/changes')) {
          return new Response(
            new ReadableStream<Uint8Array>({
              start(controller) {
                notify = () =>
                  controller.enqueue(
                    new TextEncoder().encode('data: {"changes":1}\n\n'),
                  );
              },
            }),
          );
        }
        const isOn = await new Promise<boolean>(resolve => {
          answers.push(resolve);
        });
        return Response.json({ flags: { 'new-menu': isOn } });
      },
    },
  });
  const stop = api.follow('new-menu', () => {});
  await vi.waitFor(() => {
    notify();
    expect(answers.length).toBeGreaterThanOrEqual(2);
  });
  answers.at(-1)!(true);
  await vi.waitFor(() => expect(api.get('new-menu')).toBe(true));
  answers[0](false);
  await new Promise(resolve => {
    setTimeout(resolve);
  });
  expect(api.get('new-menu')).toBe(true);
  stop();
});

it('reads again after failed reads, later each time, without waiting for the next change', async () => {
  vi.useFakeTimers();
  try {
    const backend = fakeBackend({ 'new-menu': true });
    backend.failReads(2);
    const stop = backend.api.follow('new-menu', () => {});
    await vi.advanceTimersByTimeAsync(4_000);
    expect(backend.readsLeftToFail()).toBe(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(backend.readsLeftToFail()).toBe(0);
    await vi.advanceTimersByTimeAsync(8_000);
    expect(backend.api.get('new-menu')).toBeUndefined();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(backend.api.get('new-menu')).toBe(true);
    stop();
  } finally {
    vi.useRealTimers();
  }
});

it('falls back in an app without flags', async () => {
  renderInTestApp(<Menu />);
  expect(await screen.findByText('Old menu')).toBeInTheDocument();
});
