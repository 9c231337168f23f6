import { storageApiRef } from '@backstage/frontend-plugin-api';
import { TestApiProvider } from '@backstage/frontend-test-utils';
import type { PaletteEntry } from '@slipway/app-react';
import { act, renderHook } from '@testing-library/react';
import { type Recent, useRecent } from './useRecent';

const known: Recent = {
  source: 'jobs',
  id: 'known',
  title: 'Known',
  kind: 'Job',
  at: 1,
  times: 3,
};
const entry = {
  source: { id: 'jobs' },
  item: {
    id: 'new',
    title: 'New',
    kind: 'Job',
    act: { type: 'open', href: '/x' },
  },
} as unknown as PaletteEntry;

it('remembers no choice before the earlier ones are known, which it would replace, and drops what is no choice', async () => {
  const written: Recent[][] = [];
  let arrive = () => {};
  const storage = {
    forBucket: () => ({
      snapshot: (key: string) => ({ key, presence: 'unknown' }),
      observe$: () => ({
        subscribe({ next }: { next(snapshot: object): void }) {
          arrive = () =>
            next({
              presence: 'present',
              value: [null, known, { ...known, at: undefined }],
            });
          return { unsubscribe() {} };
        },
      }),
      set: async (_key: string, value: Recent[]) => void written.push(value),
    }),
  };
  const { result } = renderHook(() => useRecent(), {
    wrapper: ({ children }) => (
      <TestApiProvider apis={[[storageApiRef, storage as never]]}>
        {children}
      </TestApiProvider>
    ),
  });
  act(() => result.current.remember(entry));
  expect(written).toEqual([]);
  act(() => arrive());
  act(() => result.current.remember(entry));
  expect(written.map(each => each.map(({ id }) => id))).toEqual([
    ['new', 'known'],
  ]);
});
