import type { Entity } from '@backstage/catalog-model';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import apiDocsPlugin from '@backstage/plugin-api-docs/alpha';
import orgPlugin from '@backstage/plugin-org/alpha';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { catalogApiMock } from '@backstage/plugin-catalog-react/testUtils';
import { renderPages } from '@slipway/test-pages';
import { screen, waitFor, within } from '@testing-library/react';
import {
  entityApisModule,
  entityCardsModule,
  ownersModule,
} from './entityCardsModule';

const SHOWN = { timeout: 20_000 };

const entity = (kind: string, name: string, more: Partial<Entity>): Entity => ({
  apiVersion: 'backstage.io/v1alpha1',
  kind,
  metadata: { name, namespace: 'default' },
  ...more,
});

const relation = (type: string, targetRef: string) => ({ type, targetRef });

/** A component, as far as its owner is what matters. */
const component = (name: string, owner: string) =>
  entity('Component', name, {
    spec: { type: 'service' },
    relations: [relation('ownedBy', owner)],
  });

const shop = entity('Component', 'shop', {
  metadata: {
    name: 'shop',
    namespace: 'default',
    description: 'Sells **everything**.',
    annotations: {
      'backstage.io/managed-by-location': 'url:https://forge.example/shop.yaml',
      'backstage.io/edit-url': 'https://forge.example/shop.yaml?edit',
    },
    links: [
      { url: 'https://runbook.example', title: 'Runbook' },
      // eslint-disable-next-line no-script-url
      { url: 'javascript:alert(1)', title: 'Trap' },
    ],
  },
  spec: { type: 'service', lifecycle: 'production' },
  relations: [
    relation('ownedBy', 'group:default/store'),
    relation('providesApi', 'api:default/orders'),
  ],
});

const orders = entity('API', 'orders', {
  spec: { type: 'openapi', lifecycle: 'production', definition: 'openapi: 3' },
});

const store = entity('Group', 'store', {
  spec: { type: 'team', children: [] },
  relations: [relation('parentOf', 'group:default/cart')],
});

const cart = entity('Group', 'cart', {
  spec: { type: 'team', children: [] },
  relations: [
    relation('childOf', 'group:default/store'),
    // A cycle, as catalogs may have them for a while.
    relation('parentOf', 'group:default/store'),
  ],
});

function open(path: string, ...others: Entity[]) {
  const entities = [shop, orders, store, cart, ...others];
  const catalog = catalogApiMock({ entities });
  // The mock only considers the first of several lists of values.
  catalog.getEntities = async ({ filter } = {}) => {
    const [{ 'relations.ownedBy': owners, kind }] = filter as {
      [key: string]: string[];
    }[];
    return {
      items: entities.filter(
        one =>
          kind.includes(one.kind) &&
          one.relations?.some(
            ({ type, targetRef }) =>
              type === 'ownedBy' && owners.includes(targetRef),
          ),
      ),
    };
  };
  const refreshed: string[] = [];
  catalog.refreshEntity = async ref => {
    refreshed.push(ref);
  };
  const pages = renderPages({
    path: `/catalog/default/${path}`,
    features: [
      catalogPlugin,
      apiDocsPlugin,
      orgPlugin,
      entityCardsModule,
      entityApisModule,
      ownersModule,
    ],
    apis: [[catalogApiRef, catalog]],
  });
  return { ...pages, refreshed };
}

const panel = (name: string) => screen.findByRole('region', { name }, SHOWN);

describe('the card about an entity', () => {
  it('shows description, facts and where to edit it', async () => {
    open('component/shop');
    const about = within(await panel('About'));
    expect(await about.findByText('everything')).toBeVisible();
    expect(about.getByText('Lifecycle').nextSibling).toHaveTextContent(
      'production',
    );
    expect(
      about.getByRole('link', { name: 'store' }).getAttribute('href'),
    ).toBe('/catalog/default/group/store');
    expect(
      about.getByRole('link', { name: /Edit descriptor/ }),
    ).toHaveAttribute('href', 'https://forge.example/shop.yaml?edit');
  });

  it('reads the descriptor again', async () => {
    const { user, refreshed } = open('component/shop');
    const about = within(await panel('About'));
    await user.click(
      await about.findByRole('button', { name: 'Refresh from source' }),
    );
    await waitFor(() => expect(refreshed).toEqual(['component:default/shop']));
  });

  it('lists links, but leads to no script', async () => {
    open('component/shop');
    const links = within(await panel('Links'));
    expect(links.getByRole('link', { name: /Runbook/ })).toHaveAttribute(
      'href',
      'https://runbook.example',
    );
    expect(links.getByText('Trap').closest('a')).not.toHaveAttribute('href');
  });
});

describe('the APIs of a component', () => {
  it('link to their definition, and say how to name others', async () => {
    open('component/shop/apis');
    const provided = within(await panel('Provided APIs'));
    expect(
      await provided.findByRole(
        'link',
        { name: 'View definition of orders' },
        SHOWN,
      ),
    ).toHaveAttribute('href', '/catalog/default/api/orders/definition');
    const consumed = within(await panel('Consumed APIs'));
    expect(consumed.getByText('Consumes no APIs')).toBeVisible();
    expect(consumed.getByText(/consumesApis:/)).toBeVisible();
  });
});

describe('what a group owns', () => {
  it('excludes subgroups until they are asked for', async () => {
    const { user } = open(
      'group/store',
      component('counter', 'group:default/store'),
      component('basket', 'group:default/cart'),
    );
    const owned = within(await panel('Ownership'));
    await owned.findByRole('link', { name: 'counter' }, SHOWN);
    expect(owned.queryByRole('link', { name: 'basket' })).toBeNull();
    await user.click(owned.getByRole('switch', { name: 'Include subgroups' }));
    expect(
      await owned.findByRole('link', { name: 'basket' }, SHOWN),
    ).toHaveAttribute('href', '/catalog/default/component/basket');
    expect(owned.getByRole('link', { name: 'cart' })).toBeVisible();
  });

  it('begins with ten of many', async () => {
    const many = Array.from({ length: 12 }, (_, place) =>
      component(`part-${String(place).padStart(2, '0')}`, 'group:default/cart'),
    );
    const { user } = open('group/cart', ...many);
    const owned = within(await panel('Ownership'));
    await owned.findByRole('link', { name: 'part-09' }, SHOWN);
    expect(owned.queryByRole('link', { name: 'part-11' })).toBeNull();
    await user.click(owned.getByRole('button', { name: 'Show all 12' }));
    expect(await owned.findByRole('link', { name: 'part-11' })).toBeVisible();
  });

  it('says how to become an owner', async () => {
    open('group/cart');
    const owned = within(await panel('Ownership'));
    expect(
      await owned.findByText('owner: group:default/cart', {}, SHOWN),
    ).toBeVisible();
  });
});

it('begins with what the groups of a user own', async () => {
  open(
    'user/ada',
    entity('User', 'ada', {
      relations: [relation('memberOf', 'group:default/cart')],
    }),
    component('basket', 'group:default/cart'),
  );
  const owned = within(await panel('Ownership'));
  expect(
    await owned.findByRole('link', { name: 'basket' }, SHOWN),
  ).toBeVisible();
  expect(owned.getByRole('switch', { name: 'Include groups' })).toBeChecked();
});
