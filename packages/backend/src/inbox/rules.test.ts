import type { Need } from '@slipway/entity-contract';
import {
  announcementOf,
  isNoticeOf,
  isAside,
  isGone,
  notificationOf,
} from './rules';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const MINUTE_MS = 60_000;

const need = (key: string, more: Partial<Need> = {}): Need => ({
  key,
  kind: 'build-failed',
  title: `${key} failed`,
  at: '2026-11-20T11:59:00Z',
  tone: 'bad',
  page: `/builds/${key}`,
  action: 'View build',
  ...more,
});

/** Returns a notification that the inbox sent a second before `NOW`. */
const sent = (scope: string) => ({ scope, isOwn: true, sentAt: NOW - 1_000 });

it('hides what is done for good, and what is snoozed until its time', () => {
  const snoozed = { state: 'snoozed', until: NOW + 1 } as const;
  expect(isAside({ aside: null }, NOW)).toBe(false);
  expect(isAside({ aside: { state: 'done', until: null } }, NOW)).toBe(true);
  expect(isAside({ aside: snoozed }, NOW)).toBe(true);
  expect(isAside({ aside: snoozed }, NOW + 1)).toBe(false);
});

const fresh = { aside: null, isAnnounced: false };

it.each([
  ['send', need('new'), {}],
  ['wait', need('announced'), { state: { ...fresh, isAnnounced: true } }],
  [
    'wait',
    need('done'),
    { state: { ...fresh, aside: { state: 'done', until: null } } },
  ],
  [
    'wait',
    need('snoozed'),
    { state: { ...fresh, aside: { state: 'snoozed', until: NOW + 1 } } },
  ],
  [
    'send',
    need('awake'),
    { state: { ...fresh, aside: { state: 'snoozed', until: NOW } } },
  ],
  ['skip', need('notified by its part', { notified: true }), {}],
  ['send', need('old', { at: '2026-11-01T12:00:00Z' }), {}],
  [
    'skip',
    need('old at the first check', { at: '2026-11-01T12:00:00Z' }),
    { isFirstCheck: true },
  ],
  [
    'send',
    need('new at the first check', {
      at: new Date(NOW - MINUTE_MS).toISOString(),
    }),
    { isFirstCheck: true },
  ],
] as const)('decides to %s for %o', (decision, item, more) => {
  expect(
    announcementOf(item, {
      state: fresh,
      isFirstCheck: false,
      now: NOW,
      ...more,
    }),
  ).toBe(decision);
});

it('formats a notification that replaces an earlier one about the same item', () => {
  expect(notificationOf(need('shop#3', { detail: 'Lint' }))).toEqual({
    title: 'shop#3 failed',
    description: 'Lint',
    link: '/builds/shop#3',
    severity: 'high',
    topic: 'build-failed',
    scope: 'shop#3',
  });
  expect(notificationOf(need('flag', { tone: 'warning' })).severity).toBe(
    'normal',
  );
});

it('begins the scope with what the item is about', () => {
  const about = { entityRef: 'component:demo/shop' };
  const long = 'x'.repeat(300);
  expect(notificationOf(need('shop#3', about)).scope).toBe(
    'component:demo/shop shop#3',
  );
  const { scope } = notificationOf(need(long, about));
  expect(scope).toMatch(/^component:demo\/shop sha256:\w{64}$/);
  expect(isNoticeOf(sent(scope!), need(long))).toBe(true);
});

it('knows its notification of an item, whatever that was about when it was sent', () => {
  for (const scope of ['shop#3', 'group:default/payments shop#3']) {
    expect(isNoticeOf(sent(scope), need('shop#3'))).toBe(true);
  }
  for (const scope of ['shop#33', 'component:demo/shop shop#4']) {
    expect(isNoticeOf(sent(scope), need('shop#3'))).toBe(false);
  }
});

it('keeps the scopes of notifications short and different', () => {
  const scopes = ['a', 'b'].map(
    end => notificationOf(need(`shop/${'x'.repeat(300)}${end}`)).scope!,
  );
  expect(Math.max(...scopes.map(scope => scope.length))).toBeLessThan(255);
  expect(new Set(scopes).size).toBe(2);
});

it('knows the notification that a part sent about an item', () => {
  const item = need('shop#3', { scope: 'build shop#3' });
  const other = { ...sent('build shop#3'), isOwn: false };
  expect(isNoticeOf(other, item)).toBe(true);
  expect(isNoticeOf({ ...other, scope: 'shop#3' }, item)).toBe(false);
});

it('tells notifications of items that are gone from others and from newer ones', () => {
  const long = need('x'.repeat(300), { entityRef: 'component:default/shop' });
  const gone = isGone({ needs: [need('build:1'), long], readAt: NOW });
  expect(gone(sent('build:2'))).toBe(true);
  expect(gone(sent('component:default/shop build:2'))).toBe(true);
  expect(gone(sent('build:1'))).toBe(false);
  expect(gone(sent(notificationOf(long).scope!))).toBe(false);
  expect(gone({ ...sent('build:3'), sentAt: NOW })).toBe(false);
  expect(gone({ ...sent('build:4'), isOwn: false })).toBe(false);
});
