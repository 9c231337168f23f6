import { mockServices } from '@backstage/backend-test-utils';
import type { Entity } from '@backstage/catalog-model';
import { TestPipeline } from '@backstage/plugin-search-backend-node';
import { describeEntity } from './searchModule';
import { TitleFirstEngine } from './TitleFirstEngine';

function entity(
  kind: string,
  metadata: Entity['metadata'],
  spec: Entity['spec'] = {},
): Entity {
  return { apiVersion: 'backstage.io/v1alpha1', kind, metadata, spec };
}

const entities = [
  entity('Component', {
    name: 'checkout',
    title: 'Checkout',
    description: 'Where customers pay for any of the items.',
  }),
  entity('Component', {
    name: 'payments-api',
    title: 'Payments API',
    description: 'Takes money.',
  }),
  entity('Component', { name: 'pages', description: 'All pages.' }),
  entity(
    'Group',
    { name: 'treasury', description: 'A team.' },
    { profile: { displayName: 'Payouts' } },
  ),
];

/** Returns the titles of the search results, best first. */
async function search(term: string, filters = {}): Promise<string[]> {
  const engine = new TitleFirstEngine({ logger: mockServices.rootLogger() });
  await TestPipeline.fromIndexer(await engine.getIndexer('software-catalog'))
    .withDocuments(
      entities.map(each => ({
        ...describeEntity(each),
        location: each.metadata.name,
      })),
    )
    .execute();
  const { results } = await engine.query({ term, filters, types: undefined });
  return results.map(({ document }) => document.title);
}

it('ranks titles that begin with a word before descriptions that contain it', async () => {
  const found = await search('pay');
  expect(found.slice(0, 2).sort()).toEqual(['Payments API', 'Payouts']);
  expect(found.slice(2)).toEqual(['Checkout']);
});

it('tolerates typos, but only in words that are long enough for it', async () => {
  expect(await search('chekout')).toEqual(['Checkout']);
  expect(await search('paym')).toEqual(['Payments API']);
});

it('applies filters, and finds everything that matches them without a word', async () => {
  expect(await search('pay', { kind: 'Group' })).toEqual(['Payouts']);
  expect(await search('', { kind: 'Group' })).toEqual(['Payouts']);
});

it('describes people and teams by their names, as pages do', () => {
  expect(
    describeEntity(
      entity(
        'User',
        { name: 'ada', description: 'Builds engines.' },
        { profile: { displayName: 'Ada', email: 'ada@example.org' } },
      ),
    ),
  ).toMatchObject({ title: 'Ada', text: 'Builds engines. · ada@example.org' });
});
