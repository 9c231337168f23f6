import { normalizeEvent } from '../ingest/IngestService';
import { checkEvent } from './checkEvent';
import { LakeEvent } from './LakeEvent';

const NOW = Date.UTC(2026, 10, 21);
const MINUTE = 60_000;
const options = { now: NOW, clockSkew: 5 * MINUTE };

const deployment: LakeEvent = {
  kind: 'deployment',
  source: 'ci',
  externalId: '1',
  service: 'shop',
  occurredAt: NOW,
  startedAt: NOW - MINUTE,
  finishedAt: NOW,
  commit: { sha: 'ABCDEF0', committedAt: NOW - MINUTE },
};
const change: LakeEvent = {
  kind: 'change',
  source: 'forge',
  externalId: 'abcdef0',
  occurredAt: NOW,
  repository: 'acme/shop',
  sha: 'abcdef0',
};
const incident: LakeEvent = {
  kind: 'incident',
  source: 'pager',
  externalId: 'P1',
  occurredAt: NOW,
  startedAt: NOW,
};

describe('checkEvent', () => {
  it.each([deployment, change, incident])('believes %j', event => {
    expect(checkEvent(event, options)).toBeUndefined();
    const ahead = { ...event, occurredAt: NOW + 5 * MINUTE };
    expect(checkEvent(ahead, options)).toBeUndefined();
  });

  it.each([
    [
      deployment,
      { finishedAt: NOW - 2 * MINUTE },
      'finishedAt is before startedAt',
    ],
    [
      deployment,
      { finishedAt: NOW + 6 * MINUTE },
      'finishedAt is in the future',
    ],
    [
      deployment,
      { occurredAt: NOW + 6 * MINUTE },
      'occurredAt is in the future',
    ],
    [
      deployment,
      { startedAt: NOW / 1000 },
      'startedAt is before 1990; numbers are milliseconds',
    ],
    [
      deployment,
      { startedAt: -1 },
      'startedAt is before 1990; numbers are milliseconds',
    ],
    [deployment, { startedAt: NaN }, 'startedAt is no time'],
    [
      deployment,
      { commit: { sha: 'abcdef0', committedAt: NOW + 6 * MINUTE } },
      'commit.committedAt is in the future',
    ],
    [
      deployment,
      { commit: { sha: 'main' } },
      'commit.sha must be 7 to 64 hexadecimal digits',
    ],
    [deployment, { service: '' }, 'service must not be empty'],
    [
      deployment,
      { source: 's'.repeat(129) },
      'source must have at most 128 characters',
    ],
    [change, { sequence: -1 }, 'sequence must be a whole number from 0'],
    [
      change,
      { committedAt: 0 },
      'committedAt is before 1990; numbers are milliseconds',
    ],
    [incident, { resolvedAt: NOW - 1 }, 'resolvedAt is before startedAt'],
  ] as const)('does not believe %# %j', (event, fields, error) => {
    const told = { ...event, ...fields } as LakeEvent;
    expect(checkEvent(told, options)).toEqual({
      error,
      field: error.slice(0, error.indexOf(' ')),
    });
  });
});

describe('normalizeEvent', () => {
  const SCRIPT = 'javascript';
  it.each([
    ['https://ci.example.org/7', 'https://ci.example.org/7'],
    ['HTTP://ci.example.org/7', 'HTTP://ci.example.org/7'],
    [`${SCRIPT}:alert(1)//https://ci.example.org`, undefined],
    [` ${SCRIPT}:alert(1)`, undefined],
    ['data:text/html,<p>', undefined],
  ])('keeps of %j what a page may link to', (url, kept) => {
    const normalized = normalizeEvent(
      { ...deployment, url },
      { environments: new Map() },
    );
    expect(normalized.url).toBe(kept);
  });

  const environments = new Map([['production', 'prod' as const]]);

  it.each([
    ['shop', 'shop'],
    [' component:default/shop ', 'shop'],
    ['Component:shop', 'shop'],
    ['component:cash/till', 'cash/till'],
    ['acme/shop', 'acme/shop'],
  ])('keeps service %s as %s', (service, kept) => {
    expect(
      normalizeEvent({ ...deployment, service }, { environments }),
    ).toMatchObject({ service: kept });
  });

  it('recognizes environments, truncates long texts and converts SHAs to lower case', () => {
    expect(
      normalizeEvent(
        { ...deployment, environment: 'Production', version: 'v'.repeat(300) },
        { environments },
      ),
    ).toMatchObject({
      environment: 'prod',
      version: 'v'.repeat(255),
      commit: { sha: 'abcdef0' },
    });
    expect(
      normalizeEvent({ ...deployment, environment: 'EU-1' }, { environments }),
    ).toMatchObject({ environment: 'eu-1' });
  });
});
