import type {
  PlatformClient,
  PlatformRequest,
} from '../platform/PlatformClient';
import { type Showcase, tellStory } from '../story/Story';
import { entitiesOf } from './demoEntities';
import { workspacesPart } from './workspacesPart';

const NOW = Date.UTC(2026, 10, 23, 9, 30);
const LOADER = 'user:default/ada';

interface SentWorkspace {
  owner: string;
  name: string;
  devfileUrl: string;
  devfile?: string;
  revision?: string;
  createdAt: string;
  lastUsed: string;
  deletesAt?: string;
  note: string;
}

/** Loads the part, and returns its story and the workspaces that it imports. */
async function load(showcase?: Showcase) {
  const story = tellStory({
    now: NOW,
    guests: [LOADER, 'user:default/grace'],
    showcase,
  });
  const sent: SentWorkspace[] = [];
  await workspacesPart.load({
    platform: {
      async asAdmin(_: string, { body }: PlatformRequest) {
        sent.push(...(body as { workspaces: SentWorkspace[] }).workspaces);
      },
    } as unknown as PlatformClient,
    story,
    appUrl: '',
    onProgress: () => {},
  });
  return { sent, story };
}

it('has workspaces of the loader and the guests, used in the past, of which one is about to be deleted', async () => {
  const { sent } = await load();
  expect(sent.map(({ owner, name }) => [owner, name])).toEqual([
    [LOADER, 'demo-split-payments'],
    [LOADER, 'demo-gift-cards'],
    [LOADER, 'demo-express-checkout'],
    [LOADER, 'demo-old-tax-tables'],
    ['user:default/grace', 'demo-cart-rounding'],
  ]);
  for (const { createdAt, lastUsed } of sent) {
    expect(Date.parse(createdAt)).toBeLessThan(Date.parse(lastUsed));
    expect(Date.parse(lastUsed)).toBeLessThan(NOW);
  }
  const deleted = sent.filter(({ deletesAt }) => deletesAt !== undefined);
  expect(deleted.map(({ name }) => name)).toEqual(['demo-old-tax-tables']);
  expect(Date.parse(deleted[0].deletesAt!)).toBeGreaterThan(NOW);
});

it('needs no network, and says that repositories are invented', async () => {
  const { sent } = await load();
  for (const { devfile, note, revision } of sent) {
    expect(JSON.parse(devfile!)).not.toHaveProperty('projects');
    expect(note).toMatch(/harbour-goods\/[a-z-]+ is invented/);
    expect(revision).toBeUndefined();
  }
});

it('uses the repository of the showcase for its component', async () => {
  const showcase = {
    devfileUrl: 'https://git.example.org/shop/devfile.yaml',
    commit: 'abc',
  };
  const { sent } = await load(showcase);
  const [split, gift, ...others] = sent;
  expect(split).toMatchObject({
    devfileUrl: showcase.devfileUrl,
    revision: 'abc',
  });
  expect(gift).toMatchObject({ devfileUrl: showcase.devfileUrl });
  expect(gift.revision).toBeUndefined();
  expect([split.devfile, gift.devfile]).toEqual([undefined, undefined]);
  expect(others.every(({ devfile }) => devfile !== undefined)).toBe(true);
});

it.each([
  [undefined],
  [{ devfileUrl: 'https://git.example.org', commit: 'abc' }],
])(
  'has each workspace on one component, with the showcase %j',
  async showcase => {
    const { sent, story } = await load(showcase);
    for (const { devfileUrl } of sent) {
      const components = entitiesOf(story).filter(
        ({ metadata }) =>
          metadata.annotations?.['slipway.dev/devfile'] === devfileUrl,
      );
      expect(components).toHaveLength(1);
    }
  },
);

it('removes what nobody has opened', async () => {
  const { story } = await load();
  const removed: string[] = [];
  await workspacesPart.remove({
    platform: {
      async asAdmin(plugin: string, { method, path }: PlatformRequest) {
        removed.push(`${method} ${plugin}${path}`);
      },
    } as unknown as PlatformClient,
    story,
    appUrl: '',
    onProgress: () => {},
  });
  expect(removed).toEqual(['DELETE ide-launcher/imports/demo']);
});
