import type { JSX } from 'react';
import type { Entity } from '@backstage/catalog-model';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import { apiDocsConfigRef } from '@backstage/plugin-api-docs';
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

const entity = (kind: string, name: string, more: Partial<Entity>): Entity => ({
  apiVersion: 'backstage.io/v1alpha1',
  kind,
  metadata: { name, namespace: 'default' },
  ...more,
});

const relation = (type: string, targetRef: string) => ({ type, targetRef });

/** Creates a component in which only the name and the owner matter. */
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

/** A widget for definitions that start with a title, which it shows in capitals. */
function getApiDefinitionWidget({ spec }: Entity) {
  const format = (definition: string) => {
    if (!definition.startsWith('title: ')) {
      throw new Error('No title');
    }
    return <h3>{definition.slice('title: '.length).toUpperCase()}</h3>;
  };
  return spec?.type === 'titles'
    ? {
        type: 'titles',
        title: 'Titles',
        component: (text: string) => <Widget render={format} text={text} />,
      }
    : undefined;
}

/** Calls `render` only when React renders it, like real widgets. */
function Widget(props: { render(text: string): JSX.Element; text: string }) {
  return props.render(props.text);
}

function open(path: string, ...others: Entity[]) {
  const entities = [shop, orders, store, cart, ...others];
  const catalog = catalogApiMock({ entities });
  // The mock only considers the first of several lists of values.
  catalog.getEntities = async ({ filter } = {}) => {
    const [{ kind, ...relations }] = [filter].flat() as {
      [key: string]: string | string[];
    }[];
    const [[name, targets]] = Object.entries(relations);
    return {
      items: entities.filter(
        one =>
          kind.includes(one.kind) &&
          one.relations?.some(
            ({ type, targetRef }) =>
              `relations.${type}`.toLowerCase() === name.toLowerCase() &&
              targets.includes(targetRef),
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
    apis: [
      [catalogApiRef, catalog],
      [apiDocsConfigRef, { getApiDefinitionWidget }],
    ],
  });
  return { ...pages, refreshed, catalog };
}

const panel = (name: string) => screen.findByRole('region', { name });

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
      await provided.findByRole('link', { name: 'View definition of orders' }),
    ).toHaveAttribute('href', '/catalog/default/api/orders/definition');
    const consumed = within(await panel('Consumed APIs'));
    expect(consumed.getByText('Consumes no APIs')).toBeVisible();
    expect(consumed.getByText(/consumesApis:/)).toBeVisible();
  });
});

describe('the relations of an entity', () => {
  it('are listed by the kind of the other side', async () => {
    open(
      'system/trade',
      entity('System', 'trade', {
        relations: [
          relation('hasPart', 'component:default/shop'),
          relation('hasPart', 'api:default/orders'),
        ],
      }),
    );
    const components = within(await panel('Components'));
    expect(
      await components.findByRole('link', { name: 'shop' }),
    ).toHaveAttribute('href', '/catalog/default/component/shop');
    expect(components.queryByRole('link', { name: 'orders' })).toBeNull();
    const resources = within(await panel('Resources'));
    expect(await resources.findByText('Has no resources')).toBeVisible();
  });

  it('tell who provides and who consumes an API', async () => {
    open(
      'api/payments',
      entity('API', 'payments', {
        spec: { type: 'openapi', definition: 'openapi: 3' },
        relations: [relation('apiProvidedBy', 'component:default/shop')],
      }),
    );
    const providers = within(await panel('Providers'));
    expect(await providers.findByRole('link', { name: 'shop' })).toBeVisible();
    const consumers = within(await panel('Consumers'));
    expect(
      await consumers.findByText('No component consumes this API'),
    ).toBeVisible();
  });

  it('can be loaded again after a failure', async () => {
    const { user, catalog } = open('component/shop/apis');
    const works = catalog.getEntitiesByRefs;
    catalog.getEntitiesByRefs = async () => {
      throw new Error('The catalog is down');
    };
    const provided = within(await panel('Provided APIs'));
    expect(
      await provided.findByText("Couldn't load Provided APIs"),
    ).toBeVisible();
    catalog.getEntitiesByRefs = works;
    await user.click(provided.getByRole('button', { name: 'Retry' }));
    expect(await provided.findByRole('link', { name: 'orders' })).toBeVisible();
  });
});

const api = (type: string, definition: string) =>
  entity('API', 'titles', { spec: { type, definition } });

describe('the definition of an API', () => {
  it('is formatted by the widget for its type, with its source next to it', async () => {
    const { user } = open(
      'api/titles/definition',
      api('titles', 'title: orders'),
    );
    const shown = within(await panel('Definition'));
    expect(await shown.findByRole('heading', { name: 'ORDERS' })).toBeVisible();
    await user.click(shown.getByRole('radio', { name: 'Source' }));
    expect(shown.getByText('title: orders')).toBeVisible();
    expect(shown.queryByText('ORDERS')).toBeNull();
  });

  it('is its source if the widget cannot read it', async () => {
    open('api/titles/definition', api('titles', 'orders'));
    const shown = within(await panel('Definition'));
    expect(
      await shown.findByText(/Couldn't read this as Titles/),
    ).toBeVisible();
    expect(shown.getByText('orders')).toBeVisible();
  });

  it('is its source if no widget is for its type', async () => {
    open('api/titles/definition', api('avro', 'record Order'));
    const shown = within(await panel('Definition'));
    expect(await shown.findByText('record Order')).toBeVisible();
    expect(shown.queryByRole('radio')).toBeNull();
  });

  it('may be missing', async () => {
    open('api/titles/definition', api('openapi', ''));
    const shown = within(await panel('Definition'));
    expect(await shown.findByText('No definition')).toBeVisible();
  });
});

const member = (name: string, group: string, displayName = name) =>
  entity('User', name, {
    spec: { profile: { displayName, email: `${name}@shop.example` } },
    relations: [relation('memberOf', group)],
  });

describe('the members of a group', () => {
  it('exclude those of subgroups until they are asked for', async () => {
    const { user } = open(
      'group/store',
      member('ada', 'group:default/store', 'Ada Vale'),
      member('grace', 'group:default/cart'),
    );
    const members = within(await panel('Members'));
    expect(
      await members.findByRole('link', { name: 'Ada Vale' }),
    ).toHaveAttribute('href', '/catalog/default/user/ada');
    expect(
      members.getByRole('link', { name: 'ada@shop.example' }),
    ).toHaveAttribute('href', 'mailto:ada@shop.example');
    expect(members.queryByRole('link', { name: 'grace' })).toBeNull();
    await user.click(
      members.getByRole('switch', { name: 'Include subgroups' }),
    );
    expect(await members.findByRole('link', { name: 'grace' })).toBeVisible();
    expect(members.getByRole('link', { name: 'cart' })).toBeVisible();
  });

  it('are searched by name', async () => {
    const { user } = open(
      'group/cart',
      ...Array.from({ length: 12 }, (_, place) =>
        member(`one-${String(place).padStart(2, '0')}`, 'group:default/cart'),
      ),
    );
    const members = within(await panel('Members'));
    await members.findByRole('link', { name: 'one-00' });
    const search = members.getByRole('searchbox', { name: 'Search Members' });
    await user.type(search, 'ONE-11');
    expect(await members.findByRole('link', { name: 'one-11' })).toBeVisible();
    expect(members.queryByRole('link', { name: 'one-00' })).toBeNull();
    await user.type(search, '1');
    expect(await members.findByText('No matches')).toBeVisible();
  });

  it('say how to become one', async () => {
    open('group/cart');
    const members = within(await panel('Members'));
    expect(
      await members.findByText(/memberOf: \[group:default\/cart\]/),
    ).toBeVisible();
  });
});

it('shows the labels of an entity', async () => {
  open(
    'component/labelled',
    entity('Component', 'labelled', {
      metadata: {
        name: 'labelled',
        namespace: 'default',
        labels: { 'shop.example/tier': 'gold' },
      },
    }),
  );
  const labels = within(await panel('Labels'));
  expect(labels.getByText('shop.example/tier').nextSibling).toHaveTextContent(
    'gold',
  );
});

describe('what a group owns', () => {
  it('excludes subgroups until they are asked for', async () => {
    const { user } = open(
      'group/store',
      component('counter', 'group:default/store'),
      component('basket', 'group:default/cart'),
    );
    const owned = within(await panel('Ownership'));
    await owned.findByRole('link', { name: 'counter' });
    expect(owned.queryByRole('link', { name: 'basket' })).toBeNull();
    await user.click(owned.getByRole('switch', { name: 'Include subgroups' }));
    expect(await owned.findByRole('link', { name: 'basket' })).toHaveAttribute(
      'href',
      '/catalog/default/component/basket',
    );
    expect(owned.getByRole('link', { name: 'cart' })).toBeVisible();
  });

  it('begins with ten of many', async () => {
    const many = Array.from({ length: 12 }, (_, place) =>
      component(`part-${String(place).padStart(2, '0')}`, 'group:default/cart'),
    );
    const { user } = open('group/cart', ...many);
    const owned = within(await panel('Ownership'));
    await owned.findByRole('link', { name: 'part-09' });
    expect(owned.queryByRole('link', { name: 'part-11' })).toBeNull();
    await user.click(owned.getByRole('button', { name: 'Show all 12' }));
    expect(await owned.findByRole('link', { name: 'part-11' })).toBeVisible();
  });

  it('begins with the ten that are first in the chosen order', async () => {
    const many = Array.from({ length: 12 }, (_, place) =>
      component(`part-${String(place).padStart(2, '0')}`, 'group:default/cart'),
    );
    const { user } = open('group/cart', ...many);
    const owned = within(await panel('Ownership'));
    await owned.findByRole('link', { name: 'part-09' });
    const byName = owned.getByRole('columnheader', { name: /Name/ });
    await user.click(byName);
    await user.click(byName);
    expect(await owned.findByRole('link', { name: 'part-11' })).toBeVisible();
    expect(owned.queryByRole('link', { name: 'part-01' })).toBeNull();
  });

  it('says how to become an owner', async () => {
    open('group/cart');
    const owned = within(await panel('Ownership'));
    expect(await owned.findByText('owner: group:default/cart')).toBeVisible();
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
  expect(await owned.findByRole('link', { name: 'basket' })).toBeVisible();
  expect(owned.getByRole('switch', { name: 'Include groups' })).toBeChecked();
});
