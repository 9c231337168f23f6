import { TestApiProvider } from '@backstage/frontend-test-utils';
import type { TimelineItem } from '@slipway/entity-contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { PropsWithChildren } from 'react';
import { type EntityPart, entityPartsApiRef } from './entityParts';
import { useSuspectedFlags } from './suspects';

const FAILED_AT = '2026-11-20T12:00:00Z';

const change = (flag: string, at: string): TimelineItem => ({
  id: `flag:${flag}:${at}`,
  kind: 'flag',
  at,
  title: `${flag} changed`,
  page: `/flags/flag/${flag}`,
  neighbours: [],
});

const partOf = (kinds: EntityPart['kinds']): EntityPart => ({
  id: kinds.join(),
  title: kinds.join(),
  icon: () => null,
  path: '',
  order: 1,
  kinds,
});

function renderFlags(entityRef: string | undefined) {
  const asked: string[] = [];
  const periods: unknown[] = [];
  const parts = {
    list: () => [partOf(['build']), partOf(['flag'])],
    summary: () => Promise.reject(new Error('not used')),
    async timeline({ title }: EntityPart, ref: string, period: object) {
      asked.push(`${title} ${ref}`);
      periods.push(period);
      return {
        items: [
          change('later', '2026-11-20T14:00:00Z'),
          change('own', '2026-11-20T11:00:00Z'),
          change('own', '2026-11-20T10:00:00Z'),
          change('old', '2026-11-19T11:00:00Z'),
        ],
        truncated: false,
      };
    },
  };
  const wrapper = ({ children }: PropsWithChildren<{}>) => (
    <TestApiProvider apis={[[entityPartsApiRef, parts]]}>
      <QueryClientProvider client={new QueryClient()}>
        {children}
      </QueryClientProvider>
    </TestApiProvider>
  );
  const { result } = renderHook(() => useSuspectedFlags(entityRef, FAILED_AT), {
    wrapper,
  });
  return { asked, periods, result };
}

it('suspects each flag that changed in the day before, once', async () => {
  const { asked, result } = renderFlags('component:default/shop');
  await waitFor(() =>
    expect(result.current).toEqual([
      {
        kind: 'flag',
        title: 'own changed',
        page: '/flags/flag/own',
        failed: true,
      },
    ]),
  );
  expect(asked).toEqual(['flag component:default/shop']);
});

it('asks for that day alone, as the newest changes of a year would hide those before an old failure', async () => {
  const { periods } = renderFlags('component:default/shop');
  await waitFor(() =>
    expect(periods).toEqual([
      {
        from: '2026-11-19T12:00:00.000Z',
        to: '2026-11-20T13:00:00.001Z',
        limit: 200,
      },
    ]),
  );
});

it('asks nothing about what has not failed', async () => {
  const { asked, result } = renderFlags(undefined);
  expect(result.current).toEqual([]);
  expect(asked).toEqual([]);
});
