import type { Case } from '../Case.ts';

const at = (path: string) => `/api/frontend${path}`;

/** Requests of browser SDKs. */
export const frontendCases: Case[] = [
  ['by query', '?userId=3&properties[region]=eu'],
  ['variant of another user', '?userId=33&properties[region]=eu'],
  ['outside of the segment', '?userId=3&properties[region]=us'],
  ['excluded by the constraint', '?userId=31&properties[region]=eu'],
  ['by an unknown top-level key', '?userId=3&region=eu'],
  ['without context', ''],
  ['with another environment', '?userId=3&environment=production&region=eu'],
  ['with an empty user', '?userId=&region=eu'],
  ['with two users', '?userId=1&userId=3&region=eu'],
  ['with a bad time', '?userId=3&currentTime=never&region=eu'],
  ['with a bad address', '?userId=3&remoteAddress=x&region=eu'],
].map(([what, query]): Case => ({
  what: `frontend: ${what}`,
  send: `GET ${at(query)}`,
  as: 'frontend',
}));

frontendCases.push(
  {
    what: 'frontend: unchanged',
    send: `GET ${at('?userId=3&sessionId=1&region=us')}`,
    as: 'frontend',
  },
  {
    what: 'frontend: POST',
    send: `POST ${at('')}`,
    as: 'frontend',
    body: { context: { userId: '3', properties: { region: 'eu' } } },
  },
  {
    what: 'frontend: POST with members at the top',
    send: `POST ${at('')}`,
    as: 'frontend',
    body: { userId: '3', properties: { region: 'eu' } },
  },
  {
    what: 'frontend: POST with unknown members of the context',
    send: `POST ${at('')}`,
    as: 'frontend',
    body: { context: { userId: '3', region: 'eu' } },
  },
  {
    what: 'frontend: POST with a numeric property',
    send: `POST ${at('')}`,
    as: 'frontend',
    body: { context: { userId: '3', properties: { region: 7 } } },
  },
  {
    what: 'frontend: POST with a numeric user',
    send: `POST ${at('')}`,
    as: 'frontend',
    body: { context: { userId: 3, properties: { region: 'eu' } } },
  },
  {
    what: 'frontend: POST without context',
    send: `POST ${at('')}`,
    as: 'frontend',
    body: {},
  },
  {
    what: 'frontend: POST with a text as context',
    send: `POST ${at('')}`,
    as: 'frontend',
    body: { context: 'x' },
  },
  {
    what: 'frontend: POST broken JSON',
    send: `POST ${at('')}`,
    as: 'frontend',
    body: '{',
  },
  { what: 'frontend: without token', send: `GET ${at('')}`, as: 'nobody' },
  {
    what: 'frontend: with a client token',
    send: `GET ${at('')}`,
    as: 'client',
  },
  { what: 'frontend: with an admin token', send: `GET ${at('')}`, as: 'admin' },
  {
    what: 'frontend: preflight',
    send: `OPTIONS ${at('')}`,
    as: 'nobody',
    headers: {
      origin: 'https://shop.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    },
  },
  {
    what: 'frontend: register',
    send: `POST ${at('/client/register')}`,
    as: 'frontend',
    body: {
      appName: 'page',
      instanceId: 'browser',
      strategies: [],
      started: '2026-11-23T12:00:00.000Z',
      interval: 60_000,
    },
  },
  {
    what: 'frontend: metrics',
    send: `POST ${at('/client/metrics')}`,
    as: 'frontend',
    body: {
      appName: 'page',
      instanceId: 'browser',
      bucket: {
        start: '2026-11-23T12:00:00.000Z',
        stop: '2026-11-23T12:01:00.000Z',
        toggles: { 'sdk-child': { yes: 1, no: 0, variants: { red: 1 } } },
      },
    },
  },
  {
    what: 'frontend: metrics without body',
    send: `POST ${at('/client/metrics')}`,
    as: 'frontend',
    body: {},
  },
  { what: 'frontend: all', send: `GET ${at('/all')}`, as: 'frontend' },
  { what: 'frontend: old path', send: 'GET /api/proxy', as: 'frontend' },
);
