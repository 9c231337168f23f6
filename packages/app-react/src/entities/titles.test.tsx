import type { PropsWithChildren } from 'react';
import { TestApiProvider } from '@backstage/frontend-test-utils';
import { createApiRef } from '@backstage/frontend-plugin-api';
import { renderHook, waitFor } from '@testing-library/react';
import { useTitles } from './titles';

const presentationApiRef = createApiRef<{
  forEntity(ref: string): { promise: Promise<{ primaryTitle: string }> };
}>().with({ id: 'plugin.catalog.entity-presentation' });

const TITLES: Record<string, string> = {
  'group:demo/checkout': 'Checkout',
  'group:default/checkout': 'Checkout',
  'component:default/cart': 'Cart',
};

function createCatalog() {
  const asked: string[] = [];
  const api = {
    forEntity(ref: string) {
      asked.push(ref);
      const primaryTitle = TITLES[ref] ?? ref.replace(/^.*\//, '');
      return { promise: Promise.resolve({ primaryTitle }) };
    },
  };
  const wrapper = ({ children }: PropsWithChildren) => (
    <TestApiProvider apis={[[presentationApiRef, api]]}>
      {children}
    </TestApiProvider>
  );
  const show = (refs: readonly string[], kind?: string) =>
    renderHook(() => useTitles(refs, { kind }), { wrapper }).result;
  return { asked, show };
}

it('returns titles, once they have loaded, of references and of names', async () => {
  const { show } = createCatalog();
  const titleOf = show(['component:default/cart', 'component:default/none']);
  expect(titleOf.current('component:default/cart')).toBe('cart');
  await waitFor(() =>
    expect(titleOf.current('component:default/cart')).toBe('Cart'),
  );
  expect(titleOf.current('component:default/none')).toBe('none');
  const teamOf = show(['demo/checkout', 'https://x.org'], 'group');
  await waitFor(() => expect(teamOf.current('demo/checkout')).toBe('Checkout'));
  expect(teamOf.current('https://x.org')).toBe('https://x.org');
});

it('asks once for what several parts of a page and later pages show', async () => {
  const { asked, show } = createCatalog();
  const first = show(['component:default/cart']);
  await waitFor(() =>
    expect(first.current('component:default/cart')).toBe('Cart'),
  );
  expect(show(['Component:cart']).current('component:cart')).toBe('Cart');
  expect(asked).toEqual(['component:default/cart']);
});

it('tells entities with the same title apart', async () => {
  const { show } = createCatalog();
  const teams = ['demo/checkout', 'checkout'];
  const titleOf = show(teams, 'group');
  await waitFor(() =>
    expect(teams.map(titleOf.current)).toEqual([
      'Checkout (demo/checkout)',
      'Checkout (checkout)',
    ]),
  );
});

it('returns names in an app without a catalog', () => {
  const { result } = renderHook(() => useTitles(['group:demo/checkout']), {
    wrapper: ({ children }: PropsWithChildren) => (
      <TestApiProvider apis={[]}>{children}</TestApiProvider>
    ),
  });
  expect(result.current('group:demo/checkout')).toBe('demo/checkout');
});
