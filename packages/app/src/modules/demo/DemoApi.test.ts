import { type Demo, DemoApi } from './DemoApi';

const DEMO: Demo = {
  phase: 'absent',
  steps: [],
  error: null,
  mayManage: true,
  refusal: null,
  writes: [],
};

/** Creates a portal that returns one phase after another. */
function createApi(...phases: Demo['phase'][]) {
  const methods: string[] = [];
  let reloads = 0;
  const api = new DemoApi({
    memory: window.localStorage,
    client: {
      async json<T>(_: string, call?: { method?: string }) {
        methods.push(call?.method ?? 'GET');
        const phase = call?.method ? phases[0] : (phases.shift() ?? 'absent');
        return { ...DEMO, phase } as T;
      },
    },
    reload: () => {
      reloads += 1;
    },
  });
  return { api, methods, reloads: () => reloads };
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it('sends one request for all subscribers', async () => {
  const { api, methods } = createApi('loaded');
  api.subscribe(() => {});
  api.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(2_000);
  expect(methods).toEqual(['GET']);
  expect(api.demo()?.phase).toBe('loaded');
});

it('stops reading when nothing shows it any more, and reads again when something does', async () => {
  const { api, methods } = createApi('loaded', 'loaded');
  const leave = api.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(2_000);
  leave();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(methods).toEqual(['GET']);
  api.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(2_000);
  expect(methods).toEqual(['GET', 'GET']);
});

it('polls until loading has finished, then reloads the portal', async () => {
  const { api, methods, reloads } = createApi('absent', 'loading', 'loaded');
  api.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(2_000);
  void api.load();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(methods).toEqual(['GET', 'POST', 'GET', 'GET']);
  expect(reloads()).toBe(1);
});

it('reloads the portal when someone else has loaded the demo', async () => {
  const { api, reloads } = createApi('absent', 'absent', 'loaded', 'loaded');
  api.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(12_000);
  expect(reloads()).toBe(0);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reloads()).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reloads()).toBe(1);
});

it('waits with the reload until nobody writes in a field', async () => {
  const { api, reloads } = createApi('absent', 'loaded', 'loaded');
  const field = document.body.appendChild(document.createElement('textarea'));
  field.focus();
  api.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(30_000);
  expect(reloads()).toBe(0);
  field.remove();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reloads()).toBe(1);
});

it('sends no requests while the tab is hidden, and one as soon as it is visible', async () => {
  const visibility = vi
    .spyOn(document, 'visibilityState', 'get')
    .mockReturnValue('hidden');
  const { api, methods } = createApi('absent', 'absent');
  api.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(60_000);
  expect(methods).toEqual(['GET']);
  visibility.mockRestore();
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(0);
  expect(methods).toEqual(['GET', 'GET']);
});

it('keeps the error of a failed load', async () => {
  const api = new DemoApi({
    memory: window.localStorage,
    client: {
      json: async () => {
        throw new Error('Not here');
      },
    },
    reload: () => {},
  });
  await api.load();
  expect(api.failure()?.message).toBe('Not here');
  expect(api.demo()).toBeUndefined();
});

it('starts with the stored state of a loaded demo, and ignores other states', async () => {
  const first = createApi('loaded', 'loading');
  first.api.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(2_000);
  expect(createApi().api.demo()?.phase).toBe('loaded');

  window.localStorage.setItem('slipway.demo', '{"phase":"removing"}');
  expect(createApi().api.demo()).toBeUndefined();
  window.localStorage.setItem('slipway.demo', '{');
  expect(createApi().api.demo()).toBeUndefined();
});
