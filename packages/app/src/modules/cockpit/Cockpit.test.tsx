import type { Entity } from '@backstage/catalog-model';
import { ResponseError } from '@backstage/errors';
import { renderInTestApp } from '@backstage/frontend-test-utils';
import {
  catalogApiRef,
  EntityProvider,
  entityRouteRef,
} from '@backstage/plugin-catalog-react';
import { catalogApiMock } from '@backstage/plugin-catalog-react/testUtils';
import { RiHammerLine } from '@remixicon/react';
import {
  type EntityPart,
  type EntityPartsApi,
  entityPartsApiRef,
} from '@slipway/app-react';
import type { EntitySummary, TimelineItem } from '@slipway/entity-contract';
import { failAtOnce } from '@slipway/test-pages';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Cockpit } from './Cockpit';

const shop: Entity = {
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Component',
  metadata: { name: 'shop' },
};

const part = (title: string, kinds: EntityPart['kinds'] = []): EntityPart => ({
  id: `entity-part:${title.toLowerCase()}`,
  title,
  icon: RiHammerLine,
  path: '',
  order: 1,
  kinds,
});

/** Fake parts that return preset responses or fail. */
class FakeParts implements EntityPartsApi {
  readonly asked: string[] = [];
  readonly parts: EntityPart[] = [];
  readonly summaries = new Map<string, EntitySummary | Error>();
  readonly items = new Map<string, TimelineItem[] | Error>();

  add(
    one: EntityPart,
    answers: {
      summary?: EntitySummary | Error;
      items?: TimelineItem[] | Error;
    },
  ): this {
    this.parts.push(one);
    this.summaries.set(
      one.id,
      answers.summary ?? { state: 'quiet', facts: [], needs: [] },
    );
    this.items.set(one.id, answers.items ?? []);
    return this;
  }

  list() {
    return this.parts;
  }

  async summary({ id }: EntityPart, ref: string) {
    this.asked.push(ref);
    const answer = this.summaries.get(id)!;
    if (answer instanceof Error) {
      throw answer;
    }
    return answer;
  }

  /** Ids of the parts that list only the user's own items. */
  readonly ownOnly = new Set<string>();

  async timeline({ id }: EntityPart) {
    const items = this.items.get(id)!;
    if (items instanceof Error) {
      throw items;
    }
    return { items, truncated: false, ownOnly: this.ownOnly.has(id) };
  }
}

function renderCockpit(parts: FakeParts, { entity = shop } = {}) {
  renderInTestApp(
    <EntityProvider entity={entity}>
      <Cockpit
        cards={[
          { type: 'info', element: <p key="about">About of the catalog</p> },
          { type: 'content', element: <p key="other">Card of a plugin</p> },
        ]}
      />
    </EntityProvider>,
    {
      apis: [
        [entityPartsApiRef, parts],
        [catalogApiRef, catalogApiMock()],
        failAtOnce,
      ],
      mountedRoutes: { '/catalog/:namespace/:kind/:name': entityRouteRef },
    },
  );
}

const builds: EntitySummary = {
  state: 'bad',
  page: '/builds/shop',
  facts: [
    {
      id: 'last',
      label: 'Last build',
      kind: 'text',
      value: '#7 failed',
      page: '/builds/shop/7',
      tone: 'bad',
      at: new Date(Date.now() - 3_600_000).toISOString(),
      by: 'user:default/ada',
    },
    {
      id: 'rate',
      label: 'Success rate (30 d)',
      kind: 'percent',
      value: 50,
      previous: 80,
      tone: 'worse',
    },
    {
      id: 'duration',
      label: 'Average duration (30 d)',
      kind: 'duration',
      value: 240,
      previous: 238,
      tone: 'same',
    },
    { id: 'none', label: 'Coverage', kind: 'percent', value: null },
  ],
  needs: [
    {
      key: 'build:7',
      kind: 'build-failed',
      title: 'shop #7 failed',
      detail: 'Step Compile failed',
      at: new Date().toISOString(),
      tone: 'bad',
      page: '/builds/shop/7',
      action: 'View build',
    },
  ],
};

it('shows the state of each part, open needs, and the cards of plugins', async () => {
  const parts = new FakeParts()
    .add(part('Builds'), { summary: builds })
    .add(part('Flags'), {
      summary: {
        state: 'unconnected',
        message: 'Name its flags in the annotation slipway.dev/flags.',
        facts: [],
        needs: [],
      },
    });
  renderCockpit(parts);
  expect(
    await screen.findByRole('link', { name: '#7 failed' }),
  ).toHaveAttribute('href', '/builds/shop/7');
  const card = screen.getByRole('region', { name: 'Builds' });
  expect(within(card).getByRole('link', { name: 'View builds' })).toBeVisible();
  expect(card).toHaveTextContent('1 hour ago · ada');
  expect(card).toHaveTextContent('50%30 points');
  expect(card).toHaveTextContent('worse, previous 30 days: 80%');
  expect(card).toHaveTextContent('4 min');
  expect(card).toHaveTextContent('Coverage–');
  const needs = screen.getByRole('region', { name: 'Needs attention' });
  expect(within(needs).getByText('shop #7 failed')).toBeVisible();
  expect(
    within(needs).getByRole('link', { name: 'View build' }),
  ).toHaveAttribute('href', '/builds/shop/7');
  expect(screen.getByText(/Name its flags in the annotation/)).toBeVisible();
  expect(screen.getByText('About of the catalog')).toBeVisible();
  expect(screen.getByText('Card of a plugin')).toBeVisible();
  expect(new Set(parts.asked)).toEqual(new Set(['component:default/shop']));
});

it('says that a part has more open needs than it lists', async () => {
  renderCockpit(
    new FakeParts().add(part('Builds'), {
      summary: { ...builds, moreNeeds: true },
    }),
  );
  const needs = await screen.findByRole('region', { name: 'Needs attention' });
  expect(needs).toHaveTextContent('Only the most urgent items');
});

it('shows which part is down, and the state of the others', async () => {
  const down = await ResponseError.fromResponse(
    Response.json({}, { status: 503, statusText: 'down' }) as never,
  );
  renderCockpit(
    new FakeParts()
      .add(part('Builds', ['build']), { summary: builds })
      .add(part('Flags', ['flag']), { summary: down, items: down }),
  );
  expect(
    await screen.findByText('Flags: the service is not responding'),
  ).toBeVisible();
  const flags = screen.getByRole('region', { name: 'Flags' });
  expect(within(flags).getByRole('button', { name: /Retry/ })).toBeVisible();
  expect(screen.getByRole('link', { name: '#7 failed' })).toBeVisible();
  expect(
    await screen.findByText('These parts are not responding: Flags.'),
  ).toBeVisible();
});

it('lists what happened from all parts, narrowed by kind in the address', async () => {
  const at = (hours: number) =>
    new Date(Date.now() - hours * 3_600_000).toISOString();
  renderCockpit(
    new FakeParts()
      .add(part('Builds', ['build']), {
        items: [
          {
            id: 'b7',
            kind: 'build',
            at: at(2),
            title: 'shop #7',
            state: 'Failed',
            tone: 'bad',
            page: '/builds/shop/7',
            commit: 'abc',
            neighbours: [],
          },
        ],
      })
      .add(part('Delivery', ['deployment']), {
        items: [
          {
            id: 'd1',
            kind: 'deployment',
            at: at(1),
            title: 'shop 1.2.0 to prod',
            page: '/delivery/deployments/d1',
            commit: 'abc',
            by: 'token:ci',
            neighbours: [],
          },
        ],
      }),
  );
  const timeline = await screen.findByRole('region', { name: 'Timeline' });
  // The parts respond one after the other.
  const rows = () => within(timeline).getAllByRole('listitem');
  await waitFor(() =>
    expect(rows().map(row => row.textContent)).toEqual([
      expect.stringContaining('shop 1.2.0 to prod'),
      expect.stringContaining('shop #7'),
    ]),
  );
  expect(
    within(rows()[0]).getByRole('link', { name: 'Build: shop #7' }),
  ).toHaveAttribute('href', '/builds/shop/7');
  await userEvent.click(
    within(timeline).getByRole('button', { name: /Builds/ }),
  );
  expect(within(timeline).getAllByRole('listitem')).toHaveLength(1);
  expect(
    within(timeline).getByRole('button', { name: /Builds/ }),
  ).toHaveAttribute('aria-pressed', 'true');
  expect(
    within(timeline).getByRole('button', { name: /Deployments/ }),
  ).toHaveAttribute('aria-pressed', 'false');
});

it('names the component of each item of a group', async () => {
  renderCockpit(
    new FakeParts().add(part('Builds', ['build']), {
      items: [
        {
          id: 'b7',
          kind: 'build',
          at: new Date().toISOString(),
          title: 'shop #7',
          page: '/builds/shop/7',
          entityRef: 'component:default/shop',
          neighbours: [],
        },
      ],
    }),
    {
      entity: { ...shop, kind: 'Group', metadata: { name: 'payments' } },
    },
  );
  expect(
    await screen.findByRole('link', { name: 'Component: shop' }),
  ).toHaveAttribute('href', '/catalog/default/component/shop');
});

it('says which items are only those of the user', async () => {
  const parts = new FakeParts()
    .add(part('Builds', ['build']), {})
    .add(part('Feedback', ['feedback']), {});
  parts.ownOnly.add('entity-part:feedback');
  renderCockpit(parts);
  const kinds = within(
    await screen.findByRole('group', { name: 'Filter by kind' }),
  );
  expect(
    await kinds.findByRole('button', { name: /^Your feedback/ }),
  ).toBeVisible();
  expect(kinds.getByRole('button', { name: /^Builds/ })).toBeVisible();
});

it('keeps what it lists while earlier items load', async () => {
  const parts = new FakeParts().add(part('Builds', ['build']), {
    items: [
      {
        id: 'b7',
        kind: 'build',
        at: new Date().toISOString(),
        title: 'shop #7',
        page: '/builds/shop/7',
        neighbours: [],
      },
    ],
  });
  renderCockpit(parts);
  await screen.findByText('shop #7');
  let answer = () => {};
  const answered = new Promise<void>(resolve => {
    answer = resolve;
  });
  const timeline = parts.timeline.bind(parts);
  parts.timeline = async asked => {
    await answered;
    return timeline(asked);
  };
  const earlier = screen.getByRole('button', { name: /90 days/ });
  await userEvent.click(earlier);
  expect(screen.getByText('shop #7')).toBeVisible();
  expect(earlier).toHaveFocus();
  answer();
  await waitFor(() => expect(earlier).toHaveTextContent('180 days'));
  expect(earlier).toHaveFocus();
  await userEvent.click(earlier);
  await waitFor(() => expect(earlier).toHaveTextContent('365 days'));
  parts.timeline = async () => {
    throw new Error('Down');
  };
  await userEvent.click(earlier);
  expect(await screen.findByText(/not responding: .*Builds/)).toBeVisible();
  expect(screen.getByText('shop #7')).toBeVisible();
  await waitFor(() => expect(earlier).not.toBeInTheDocument());
  await waitFor(() =>
    expect(screen.getByRole('region', { name: 'Timeline' })).toHaveFocus(),
  );
});
