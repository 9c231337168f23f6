// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { ResponseError } from '@backstage/errors';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { createServiceQueryClient } from './createServiceQueryClient';

const STEP_MS = 50;

let ask: () => Promise<string>;
/** Everything that the page has shown, in order. */
let shown: string[];

function Page({ polls = false }) {
  const { data, error } = useQuery({
    queryKey: ['it'],
    queryFn: () => ask(),
    ...(polls && { refetchInterval: 1_000 }),
  });
  const text = data ?? (error ? `failed: ${error.name}` : 'loading');
  if (shown.at(-1) !== text) {
    shown.push(text);
  }
  return <p>{text}</p>;
}

async function answer(status: number): Promise<never> {
  throw await ResponseError.fromResponse(Response.json({}, { status }));
}

function open(options: { polls?: boolean } = {}) {
  const client = createServiceQueryClient();
  const page = (isShown: boolean) => (
    <QueryClientProvider client={client}>
      {isShown && <Page {...options} />}
    </QueryClientProvider>
  );
  const { rerender } = render(page(true));
  return {
    close: () => rerender(page(false)),
    openAgain() {
      rerender(page(false));
      rerender(page(true));
    },
  };
}

/** Lets time pass in steps, as the page is rendered after each. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= STEP_MS) {
    await act(() => vi.advanceTimersByTimeAsync(Math.min(left, STEP_MS)));
  }
}

beforeEach(() => {
  shown = [];
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it('shows an outage without flickering, and recovers', async () => {
  ask = vi.fn(() => answer(502));
  open();
  await pass(60_000);
  expect(shown).toEqual(['loading', 'failed: ResponseError']);
  expect(ask).toHaveBeenCalledTimes(24);
  ask = async () => 'an answer';
  await pass(10_000);
  expect(screen.getByText('an answer')).toBeInTheDocument();
  expect(shown).toEqual(['loading', 'failed: ResponseError', 'an answer']);
});

it('shows an outage after a long wait', async () => {
  ask = async () => {
    await new Promise(resolve => setTimeout(resolve, 30_000));
    return answer(504);
  };
  open();
  await pass(30_500);
  expect(shown).toEqual(['loading', 'failed: ResponseError']);
  ask = async () => 'an answer';
  await pass(10_000);
  expect(shown).toEqual(['loading', 'failed: ResponseError', 'an answer']);
});

it('does not retry errors that the user has to fix', async () => {
  ask = vi.fn(() => answer(403));
  open();
  await pass(60_000);
  expect(ask).toHaveBeenCalledTimes(1);
  expect(screen.getByText('failed: ResponseError')).toBeInTheDocument();
});

it('shows such an error without flickering while it is polled, and loads anew when opened again', async () => {
  ask = vi.fn(async () => {
    await new Promise(resolve => setTimeout(resolve, 100));
    return answer(404);
  });
  const { openAgain } = open({ polls: true });
  await pass(5_000);
  expect(ask).toHaveBeenCalledTimes(5);
  expect(shown).toEqual(['loading', 'failed: ResponseError']);
  openAgain();
  await pass(50);
  expect(shown.at(-1)).toBe('loading');
  await pass(100);
  expect(shown.at(-1)).toBe('failed: ResponseError');
});

it('loads anew if such an error arrives after the page was closed', async () => {
  ask = async () => {
    await new Promise(resolve => setTimeout(resolve, 100));
    return answer(404);
  };
  const { close, openAgain } = open();
  await pass(50);
  close();
  await pass(100);
  openAgain();
  await pass(50);
  expect(shown).toEqual(['loading']);
});
