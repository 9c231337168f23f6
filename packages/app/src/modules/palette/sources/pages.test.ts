import { permissionApiRef } from '@backstage/plugin-permission-react';
import {
  appTreeApiRef,
  coreExtensionData,
} from '@backstage/frontend-plugin-api';
import type { SourceContext } from '@slipway/app-react';
import { pagesSource } from './pages';

/** A node of the app's tree with a title and a path. */
function node(id: string, title: string, path: string, tabs: object[] = []) {
  return {
    spec: { id },
    edges: { attachments: new Map([['pages', tabs]]) },
    instance: {
      getData: (ref: { id: string }) =>
        ({
          [coreExtensionData.title.id]: title,
          [coreExtensionData.routePath.id]: path,
        })[ref.id],
    },
  };
}

/** Lists the pages for a user with this result of the permission API. */
async function pagesFor(result: 'ALLOW' | 'DENY') {
  const tree = {
    nodes: new Map(
      [
        node('page:admin', 'Administration', '/admin', [
          node('sub-page:admin/health', 'Health', 'health'),
        ]),
        node('page:delivery-lake', 'Delivery', '/delivery', [
          node('sub-page:delivery-lake/incidents', 'Incidents', 'incidents'),
          node(
            'sub-page:delivery-lake/connections',
            'Connections',
            'connections',
          ),
        ]),
        node('page:builds/job', 'Job', '/builds/:job'),
      ].map(one => [one.spec.id, one]),
    ),
  };
  const apis = new Map<unknown, unknown>([
    [appTreeApiRef, { getTree: () => ({ tree }) }],
    [permissionApiRef, { authorize: async () => ({ result }) }],
  ]);
  const source = pagesSource({
    api: (ref: unknown) => apis.get(ref),
    texts: async () => (key: string) => key,
  } as unknown as SourceContext);
  return (await source.list?.({} as never)) ?? [];
}

async function titlesFor(result: 'ALLOW' | 'DENY') {
  const items = await pagesFor(result);
  return items.map(({ title, act }) =>
    act.type === 'open' ? `${title} ${act.href}` : title,
  );
}

async function keywordsOf(title: string) {
  const items = await pagesFor('ALLOW');
  return items.find(item => item.title === title)?.keywords;
}

it('lists pages and tabs that need no parameter', async () => {
  expect(await titlesFor('ALLOW')).toEqual([
    'Administration /admin',
    'Health /admin/health',
    'Delivery /delivery',
    'Incidents /delivery/incidents',
    'Connections /delivery/connections',
  ]);
});

it('finds pages by what people also call them', async () => {
  expect(await keywordsOf('Delivery')).toEqual(['palette.keywords.delivery']);
  expect(await keywordsOf('Incidents')).toBeUndefined();
});

it('leaves out what only administrators can use', async () => {
  expect(await titlesFor('DENY')).toEqual([
    'Delivery /delivery',
    'Incidents /delivery/incidents',
  ]);
});
