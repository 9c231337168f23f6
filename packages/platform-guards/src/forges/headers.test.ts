import {
  anyDeliveryIdOf,
  anyEventOf,
  deliveryIdOf,
  eventHeaderOf,
  eventOf,
} from './headers.ts';

const headersOf = (headers: Record<string, string>) => (name: string) =>
  headers[name];

it.each(['github', 'gitlab', 'gitea', 'forgejo'] as const)(
  'reads the event of %s in its own header',
  forge => {
    const header = `x-${forge}-event`;
    expect(eventHeaderOf(forge)).toBe(header);
    expect(eventOf(forge, headersOf({ [header]: 'push' }))).toBe('push');
    expect(eventOf(forge, headersOf({}))).toBeUndefined();
  },
);

it('accepts Forgejo by the headers of Gitea, which it sends as well', () => {
  const headers = headersOf({
    'x-forgejo-event': '',
    'x-gitea-event': 'push',
    'x-gitea-delivery': 'd-1',
  });
  expect(eventOf('forgejo', headers)).toBe('push');
  expect(deliveryIdOf('forgejo', headers)).toBe('d-1');
  expect(deliveryIdOf('github', headers)).toBeUndefined();
});

it('names a delivery of GitLab never by what several hooks share', () => {
  const shared = { 'x-gitlab-event-uuid': 'u-1' };
  expect(deliveryIdOf('gitlab', headersOf(shared))).toBeUndefined();
  expect(
    deliveryIdOf('gitlab', headersOf({ ...shared, 'idempotency-key': 'i-1' })),
  ).toBe('i-1');
});

it.each(['github', 'gitlab', 'gitea', 'forgejo'] as const)(
  'recognizes a delivery of %s',
  forge => {
    const id = forge === 'gitlab' ? 'idempotency-key' : `x-${forge}-delivery`;
    const header = headersOf({ [`x-${forge}-event`]: 'push', [id]: 'd-1' });
    expect(anyEventOf(header)).toBe('push');
    expect(anyDeliveryIdOf(header)).toBe('d-1');
    expect(anyEventOf(headersOf({}))).toBeUndefined();
  },
);

it('reads the delivery ids of trackers', () => {
  const header = headersOf({
    'x-webhook-id': 'w-1',
    'x-atlassian-webhook-identifier': 'j-1',
  });
  expect(deliveryIdOf('pagerduty', header)).toBe('w-1');
  expect(deliveryIdOf('jira', header)).toBe('j-1');
  // No forge or build is reported with them.
  expect(anyDeliveryIdOf(header)).toBeUndefined();
});
