import catalogPlugin from '@backstage/plugin-catalog/alpha';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { catalogApiMock } from '@backstage/plugin-catalog-react/testUtils';
import type { SearchQuery } from '@backstage/plugin-search-common';
import searchPlugin from '@backstage/plugin-search/alpha';
import { searchApiRef } from '@backstage/plugin-search-react';
import { renderPages } from '@slipway/test-pages';
import { screen, waitFor } from '@testing-library/react';
import { searchModule } from './searchModule';

const DOCUMENTS = [
  {
    type: 'software-catalog',
    document: {
      title: 'Web shop',
      text: 'Sells things.',
      location: '/catalog/default/component/shop',
      kind: 'Component',
      lifecycle: 'production',
      owner: 'web',
    },
    highlight: {
      preTag: '<b>',
      postTag: '</b>',
      fields: { text: '<b>Sells</b> things.' },
    },
  },
  {
    type: 'notes',
    document: {
      title: 'Shop notes',
      text: '',
      // eslint-disable-next-line no-script-url
      location: 'javascript:alert(1)',
    },
  },
];

/** A search that finds documents by a word of their title, one per page. */
const search = {
  asked: [] as SearchQuery[],
  async query(query: SearchQuery) {
    search.asked.push(query);
    const found = DOCUMENTS.filter(({ document }) =>
      document.title.toLowerCase().includes(query.term.toLowerCase()),
    );
    const page = Number(query.pageCursor ?? '0');
    return {
      results: found.slice(page, page + 1),
      numberOfResults: found.length,
      ...(page + 1 < found.length && { nextPageCursor: String(page + 1) }),
      ...(page > 0 && { previousPageCursor: String(page - 1) }),
    };
  },
};

const open = (path: string) =>
  renderPages({
    path,
    features: [catalogPlugin, searchPlugin, searchModule],
    apis: [
      [
        catalogApiRef,
        catalogApiMock({
          entities: [
            {
              apiVersion: 'backstage.io/v1alpha1',
              kind: 'Component',
              metadata: { name: 'shop' },
              spec: { lifecycle: 'production' },
            },
          ],
        }),
      ],
      [searchApiRef, search],
    ],
  });

beforeEach(() => {
  search.asked.length = 0;
});

it('searches for the query in the URL, and highlights matches', async () => {
  open('/search?query=web&filters[lifecycle][]=production');
  const link = await screen.findByRole('link', { name: 'Web shop' });
  expect(link).toHaveAttribute('href', '/catalog/default/component/shop');
  expect(search.asked.at(-1)).toMatchObject({
    term: 'web',
    filters: { lifecycle: ['production'] },
  });
  expect(screen.getByText('Component · production · web')).toBeVisible();
  expect(screen.getByText('Sells').tagName).toBe('MARK');
  expect(screen.getByText('1 result')).toBeVisible();
});

it('keeps query and filters in the URL, and clears them', async () => {
  const { user, address } = open('/search');
  expect(await screen.findByText('Search everything')).toBeVisible();
  await user.type(screen.getByRole('searchbox'), 'web');
  expect(await screen.findByRole('link', { name: 'Web shop' })).toBeVisible();
  await waitFor(() => expect(address()).toBe('/search?query=web'));
  await user.click(screen.getByRole('button', { name: /Kind/ }));
  await user.click(await screen.findByRole('option', { name: 'Component' }));
  await waitFor(() =>
    expect(search.asked.at(-1)?.filters).toEqual({ kind: 'Component' }),
  );
  await user.click(screen.getByRole('button', { name: 'Clear' }));
  await waitFor(() => expect(address()).toBe('/search'));
  expect(screen.getByText('Search everything')).toBeVisible();
});

it('turns pages, and runs no script of a document', async () => {
  const { user } = open('/search?query=shop');
  await screen.findByRole('link', { name: 'Web shop' });
  expect(screen.getByRole('button', { name: 'Previous page' })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  expect(
    await screen.findByRole('link', { name: 'Shop notes' }),
  ).not.toHaveAttribute('href', expect.stringContaining('script'));
});

it('says that nothing matches', async () => {
  open('/search?query=nowhere');
  expect(await screen.findByText('No matching results')).toBeVisible();
});

it('shows an error if the search fails, and retries', async () => {
  vi.spyOn(search, 'query').mockRejectedValueOnce(new Error('down'));
  const { user } = open('/search?query=web');
  await screen.findByText('Search failed');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('link', { name: 'Web shop' })).toBeVisible();
});
