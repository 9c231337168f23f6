import { identityApiRef, storageApiRef } from '@backstage/frontend-plugin-api';
import { mockApis, renderInTestApp } from '@backstage/frontend-test-utils';
import { RiHammerLine } from '@remixicon/react';
import { type EntityPart, entityPartsApiRef } from '@slipway/app-react';
import type { Need } from '@slipway/entity-contract';
import { failAtOnce } from '@slipway/test-pages';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Inbox } from './Inbox';
import { isAside, tomorrow } from './useSetAside';

const need = (key: string, more: Partial<Need> = {}): Need => ({
  key,
  kind: 'build-failed',
  title: key,
  at: '2026-11-20T12:00:00Z',
  tone: 'bad',
  page: `/builds/${key}`,
  action: 'View build',
  ...more,
});

function renderInbox(needs: Need[], storage = mockApis.storage()) {
  const asked: string[] = [];
  const part: EntityPart = {
    id: 'entity-part:app/builds',
    title: 'Builds',
    icon: RiHammerLine,
    path: '',
    order: 1,
    kinds: [],
  };
  renderInTestApp(<Inbox />, {
    apis: [
      [
        entityPartsApiRef,
        {
          list: () => [part],
          async summary(_part, ref) {
            asked.push(ref);
            return { state: 'bad', facts: [], needs };
          },
          timeline: async () => ({ items: [], truncated: false }),
        },
      ],
      [
        identityApiRef,
        mockApis.identity({ userEntityRef: 'user:default/grace' }),
      ],
      [storageApiRef, storage],
      failAtOnce,
    ],
  });
  return { asked, storage };
}

it('queries the needs of every part, most urgent first', async () => {
  const { asked } = renderInbox([
    need('stale flag', { tone: 'warning', action: 'View flag' }),
    need('old failure', { at: '2026-11-01T12:00:00Z' }),
    need('failure'),
    need('failure'),
  ]);
  const rows = await screen.findAllByRole('listitem');
  expect(rows.map(row => row.textContent)).toEqual([
    expect.stringMatching(/^Problemfailure/),
    expect.stringMatching(/^Problemold failure/),
    expect.stringMatching(/^Warningstale flag/),
  ]);
  expect(screen.getByRole('link', { name: 'View flag' })).toHaveAttribute(
    'href',
    '/builds/stale flag',
  );
  expect(asked).toEqual(['user:default/grace']);
});

it('dismisses a completed item permanently, and undoes that', async () => {
  const { storage } = renderInbox([need('failure')]);
  await userEvent.click(
    await screen.findByRole('button', { name: 'Mark as done: failure' }),
  );
  expect(screen.getByText('Nothing needs you')).toBeVisible();
  expect(screen.getByText('failure is done.')).toBeVisible();
  expect(storage.forBucket('slipway.inbox').snapshot('aside').value).toEqual({
    failure: null,
  });
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(
    screen.getByRole('button', { name: 'Mark as done: failure' }),
  ).toBeVisible();
});

it('shows dismissed items on request', async () => {
  const storage = mockApis.storage();
  await storage
    .forBucket('slipway.inbox')
    .set('aside', { failure: Date.now() + 60_000, past: Date.now() - 1 });
  renderInbox([need('failure'), need('past')], storage);
  expect(
    await screen.findByRole('button', { name: 'Mark as done: past' }),
  ).toBeVisible();
  expect(screen.getByText('1 set aside')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Show' }));
  await userEvent.click(
    screen.getByRole('button', { name: 'Move to inbox: failure' }),
  );
  expect(
    screen.getByRole('button', { name: 'Mark as done: failure' }),
  ).toBeVisible();
});

it('determines how long an item is dismissed', () => {
  const at = new Date(2026, 10, 20, 15, 30).getTime();
  expect(tomorrow(at)).toBe(new Date(2026, 10, 21, 9).getTime());
  const key = { key: 'x' };
  expect(isAside(undefined, key, at)).toBe(false);
  expect(isAside({ x: null }, key, at)).toBe(true);
  expect(isAside({ x: at + 1 }, key, at)).toBe(true);
  expect(isAside({ x: at }, key, at)).toBe(false);
});
