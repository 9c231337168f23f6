import type { Case } from '../Case.ts';

const NOW = '2026-11-23T12:00:00.000Z';
const LATER = '2026-11-23T12:01:00.000Z';

const bucket = (toggles: unknown, more: object = {}) => ({
  appName: 'shop',
  instanceId: 'shop-1',
  bucket: { start: NOW, stop: LATER, toggles },
  ...more,
});

const metrics: [string, unknown][] = [
  [
    'counts',
    bucket({ 'sdk-child': { yes: 3, no: 1, variants: { red: 2, blue: 1 } } }),
  ],
  ['no toggles', bucket({})],
  ['unknown flag', bucket({ nothing: { yes: 1, no: 0 } })],
  ['without bucket', { appName: 'shop', instanceId: 'shop-1' }],
  ['without appName', { ...bucket({}), appName: undefined }],
  ['without instance', { ...bucket({}), instanceId: undefined }],
  ['float counts', bucket({ 'sdk-child': { yes: 1.5, no: 0 } })],
  ['text counts', bucket({ 'sdk-child': { yes: '1', no: '0' } })],
  ['missing counts', bucket({ 'sdk-child': {} })],
  ['negative counts', bucket({ 'sdk-child': { yes: -1, no: 0 } })],
  ['null counts', bucket({ 'sdk-child': { yes: null, no: null } })],
  [
    'times since the epoch',
    {
      ...bucket({}),
      bucket: {
        start: 1_700_000_000_000,
        stop: 1_700_000_060_000,
        toggles: {},
      },
    },
  ],
  [
    'times as texts that are none',
    { ...bucket({}), bucket: { start: 'x', stop: 'y', toggles: {} } },
  ],
  ['times missing', { ...bucket({}), bucket: { toggles: {} } }],
  ['toggles missing', { ...bucket({}), bucket: { start: NOW, stop: LATER } }],
  ['toggles as a list', bucket([])],
  ['a name of 300 letters', { ...bucket({}), appName: 'x'.repeat(300) }],
  [
    'impact metrics',
    bucket(
      {},
      {
        impactMetrics: [
          {
            name: 'sales',
            help: 'Sales',
            type: 'counter',
            samples: [{ value: 1, labels: { a: 'b' } }],
          },
        ],
      },
    ),
  ],
  [
    'impact metrics without bucket',
    {
      appName: 'shop',
      impactMetrics: [
        {
          name: 'sales',
          help: 'Sales',
          type: 'counter',
          samples: [{ value: 1 }],
        },
      ],
    },
  ],
  [
    'impact metrics without samples',
    { appName: 'shop', impactMetrics: [{ name: 'odd', type: 'counter' }] },
  ],
  [
    'null fields',
    bucket(
      {},
      { environment: null, yggdrasilVersion: null, specVersion: null },
    ),
  ],
  ['a list', []],
  ['null', null],
];

const registration = (more: object = {}) => ({
  appName: 'shop',
  instanceId: 'shop-1',
  sdkVersion: 'unleash-node-sdk:6.12.1',
  strategies: ['default', 'flexibleRollout'],
  started: NOW,
  interval: 60_000,
  ...more,
});

const registrations: [string, unknown][] = [
  [
    'all fields',
    registration({
      connectionId: 'c',
      platformName: 'node',
      platformVersion: '24',
      yggdrasilVersion: null,
      specVersion: '5.2.0',
    }),
  ],
  ['without appName', registration({ appName: undefined })],
  ['without strategies', registration({ strategies: undefined })],
  ['without start', registration({ started: undefined })],
  ['without interval', registration({ interval: undefined })],
  ['start since the epoch', registration({ started: 1_700_000_000_000 })],
  ['start as a text that is none', registration({ started: 'yesterday' })],
  ['interval as float', registration({ interval: 1.5 })],
  ['interval as text', registration({ interval: '60000' })],
  [
    'strategies as objects',
    registration({ strategies: [{ name: 'default' }] }),
  ],
  [
    'long names',
    registration({ appName: 'x'.repeat(250), instanceId: 'y'.repeat(250) }),
  ],
  ['an empty object', {}],
];

const application = {
  appName: 'edge-shop',
  instanceId: 'e1',
  environment: 'development',
  started: NOW,
  interval: 60,
};
const metric = {
  featureName: 'sdk-child',
  appName: 'edge-shop',
  environment: 'development',
  timestamp: NOW,
  yes: 1,
  no: 2,
  variants: { red: 1 },
};

const bulks: [string, unknown][] = [
  ['both lists', { applications: [application], metrics: [metric] }],
  ['empty lists', { applications: [], metrics: [] }],
  ['an empty object', {}],
  ['metrics alone', { metrics: [metric] }],
  [
    'another environment',
    { applications: [], metrics: [{ ...metric, environment: 'production' }] },
  ],
  [
    'an unknown environment',
    { applications: [], metrics: [{ ...metric, environment: 'none' }] },
  ],
  [
    'a metric without flag',
    { applications: [], metrics: [{ ...metric, featureName: undefined }] },
  ],
  ['a text count', { applications: [], metrics: [{ ...metric, yes: '1' }] }],
];

/** Reports of SDKs, in all formats that are in use. */
export const reportCases: Case[] = [
  ...registrations.map(([form, body]): Case => ({
    what: `register: ${form}`,
    send: 'POST /api/client/register',
    as: 'client',
    body,
  })),
  ...metrics.map(([form, body]): Case => ({
    what: `metrics: ${form}`,
    send: 'POST /api/client/metrics',
    as: 'client',
    body: body === null ? 'null' : body,
  })),
  {
    what: 'metrics: broken JSON',
    send: 'POST /api/client/metrics',
    as: 'client',
    body: '{',
  },
  {
    what: 'metrics: text',
    send: 'POST /api/client/metrics',
    as: 'client',
    body: 'x',
    headers: { 'content-type': 'text/plain' },
  },
  {
    what: 'metrics: an unknown content type',
    send: 'POST /api/client/metrics',
    as: 'client',
    body: '{}',
    headers: { 'content-type': 'application/x-none' },
  },
  {
    what: 'metrics: with a frontend token',
    send: 'POST /api/client/metrics',
    as: 'frontend',
    body: bucket({}),
  },
  {
    what: 'metrics: without token',
    send: 'POST /api/client/metrics',
    as: 'nobody',
    body: bucket({}),
  },
  {
    what: 'register: text',
    send: 'POST /api/client/register',
    as: 'client',
    body: 'x',
    headers: { 'content-type': 'text/plain' },
  },
  ...bulks.map(([form, body]): Case => ({
    what: `bulk: ${form}`,
    send: 'POST /api/client/metrics/bulk',
    as: 'client',
    body,
  })),
  {
    what: 'bulk: old path of Edge',
    send: 'POST /edge/metrics',
    as: 'client',
    body: { applications: [], metrics: [] },
  },
];

/** Admin requests for the reported usage. */
export const usageCases: Case[] = [
  { what: 'usage: applications', send: 'GET /api/admin/metrics/applications' },
  {
    what: 'usage: one application',
    send: 'GET /api/admin/metrics/applications/shop',
  },
  {
    what: 'usage: one unknown application',
    send: 'GET /api/admin/metrics/applications/none',
  },
  {
    what: 'usage: a flag',
    send: 'GET /api/admin/client-metrics/features/sdk-child',
  },
  {
    what: 'usage: a flag, legacy',
    send: 'GET /api/admin/metrics/features/sdk-child',
  },
  {
    what: 'usage: impact metrics',
    send: 'GET /internal-backstage/impact/metrics',
  },
];
