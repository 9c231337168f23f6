import type { Case } from '../Case.ts';
import { addTo, constraintCases, rollout } from './constraints.ts';

const FLAGS = '/api/admin/projects/default/features';
const IN = `${FLAGS}/rules/environments/development`;
const ADD = `POST ${IN}/strategies`;
const variant = (name: string, more: object = {}) => ({
  name,
  weight: 500,
  weightType: 'variable',
  stickiness: 'userId',
  ...more,
});

const oddStrategies: [string, object][] = [
  ['default', { name: 'default' }],
  ['without parameters', { name: 'flexibleRollout' }],
  ['rollout as number', rollout({ parameters: { rollout: 50 } })],
  ['rollout of 150', rollout({ parameters: { rollout: '150' } })],
  ['rollout of letters', rollout({ parameters: { rollout: 'abc' } })],
  ['unknown stickiness', rollout({ parameters: { stickiness: 'nobody' } })],
  [
    'remote addresses',
    { name: 'remoteAddress', parameters: { IPs: '10.0.0.1' } },
  ],
  [
    'host names',
    { name: 'applicationHostname', parameters: { hostNames: 'a' } },
  ],
  ['userWithId', { name: 'userWithId', parameters: { userIds: '1' } }],
  [
    'legacy rollout',
    { name: 'gradualRolloutUserId', parameters: { percentage: '50' } },
  ],
  ['unknown kind', { name: 'fancy' }],
  ['without name', { parameters: {} }],
  ['unknown field', rollout({ onlyFor: 'ada' })],
  [
    'constraint with an unknown field',
    rollout({
      constraints: [
        { contextName: 'userId', operator: 'IN', values: ['1'], hint: 1 },
      ],
    }),
  ],
  [
    'constraint without context name',
    rollout({ constraints: [{ operator: 'IN', values: ['1'] }] }),
  ],
  [
    'constraint with numbers',
    rollout({
      constraints: [{ contextName: 'userId', operator: 'IN', values: [1] }],
    }),
  ],
  [
    'constraint with a numeric value',
    rollout({
      constraints: [{ contextName: 'userId', operator: 'NUM_EQ', value: 1 }],
    }),
  ],
  [
    'inverted',
    rollout({
      constraints: [
        {
          contextName: 'userId',
          operator: 'IN',
          values: ['1'],
          inverted: true,
        },
      ],
    }),
  ],
  [
    'inverted REGEX',
    rollout({
      constraints: [
        {
          contextName: 'userId',
          operator: 'REGEX',
          value: 'a',
          inverted: true,
        },
      ],
    }),
  ],
  ['unknown segment', rollout({ segments: [4_711] })],
  [
    'variants',
    rollout({
      variants: [
        variant('a', { payload: { type: 'string', value: 'x' } }),
        variant('b'),
      ],
    }),
  ],
  [
    'variants in another order than that of their names',
    rollout({ variants: [variant('b'), variant('a')] }),
  ],
  [
    'variants that do not add up',
    rollout({
      variants: [variant('a', { weight: 100 }), variant('b', { weight: 100 })],
    }),
  ],
  [
    'one fixed variant',
    rollout({ variants: [variant('a', { weight: 300, weightType: 'fix' })] }),
  ],
  [
    'fixed and variable variants',
    rollout({
      variants: [
        variant('a', { weight: 300, weightType: 'fix' }),
        variant('b', { weight: 700 }),
      ],
    }),
  ],
  ['variants of one name', rollout({ variants: [variant('a'), variant('a')] })],
  [
    'variant with broken JSON',
    rollout({
      variants: [
        variant('a', { weight: 1_000, payload: { type: 'json', value: '{' } }),
      ],
    }),
  ],
  [
    'variant with a number of letters',
    rollout({
      variants: [
        variant('a', {
          weight: 1_000,
          payload: { type: 'number', value: 'abc' },
        }),
      ],
    }),
  ],
  [
    'variant with a payload of unknown type',
    rollout({
      variants: [
        variant('a', { weight: 1_000, payload: { type: 'yaml', value: 'a' } }),
      ],
    }),
  ],
  [
    'variant without stickiness',
    rollout({
      variants: [{ name: 'a', weight: 1_000, weightType: 'variable' }],
    }),
  ],
  [
    'variant without weight',
    rollout({
      variants: [{ name: 'a', weightType: 'variable', stickiness: 'default' }],
    }),
  ],
  [
    'variant with a weight below 0',
    rollout({ variants: [variant('a', { weight: -1 })] }),
  ],
];

/**
 * Strategies with every operator, edge cases, reordering, and enabling and disabling.
 */
export const strategyCases: Case[] = [
  {
    what: 'strategies: a flag for them',
    send: `POST ${FLAGS}`,
    body: { name: 'rules' },
  },
  {
    what: 'strategies: first',
    send: ADD,
    body: rollout(),
    keep: { first: 'id' },
  },
  {
    what: 'strategies: second',
    send: ADD,
    body: rollout({ title: 'Second', disabled: true }),
    keep: { second: 'id' },
  },
  { what: 'strategies: list', send: `GET ${IN}/strategies` },
  { what: 'strategies: read', send: `GET ${IN}/strategies/{first}` },
  {
    what: 'strategies: replace',
    send: `PUT ${IN}/strategies/{first}`,
    body: rollout({ title: 'Replaced', parameters: { rollout: '20' } }),
  },
  {
    what: 'strategies: patch',
    send: `PATCH ${IN}/strategies/{first}`,
    body: [{ op: 'replace', path: '/parameters/rollout', value: '30' }],
  },
  {
    what: 'strategies: sort',
    send: `POST ${IN}/strategies/set-sort-order`,
    body: [
      { id: '{first}', sortOrder: 2 },
      { id: '{second}', sortOrder: 1 },
    ],
  },
  { what: 'strategies: remove', send: `DELETE ${IN}/strategies/{second}` },
  {
    what: 'strategies: remove again',
    send: `DELETE ${IN}/strategies/{second}`,
  },
  {
    what: 'strategies: unknown environment',
    send: `POST ${FLAGS}/rules/environments/none/strategies`,
    body: rollout(),
  },
  {
    what: 'strategies: unknown flag',
    send: `POST ${FLAGS}/none/environments/development/strategies`,
    body: rollout(),
  },
  { what: 'strategies: state', send: `GET ${IN}` },
  { what: 'strategies: on', send: `POST ${IN}/on` },
  { what: 'strategies: on again', send: `POST ${IN}/on` },
  { what: 'strategies: off', send: `POST ${IN}/off` },
  {
    what: 'strategies: on, unknown flag',
    send: `POST ${FLAGS}/none/environments/development/on`,
  },
  {
    what: 'strategies: on, unknown environment',
    send: `POST ${FLAGS}/rules/environments/none/on`,
  },
  {
    what: 'strategies: a flag without any',
    send: `POST ${FLAGS}`,
    body: { name: 'bare' },
  },
  {
    what: 'strategies: on without any',
    send: `POST ${FLAGS}/bare/environments/development/on`,
  },
  {
    what: 'strategies: what on without any added',
    send: `GET ${FLAGS}/bare/environments/development`,
  },
  ...['operators', 'oddities'].map((name): Case => ({
    what: `strategies: flag for ${name}`,
    send: `POST ${FLAGS}`,
    body: { name },
  })),
  ...constraintCases,
  ...oddStrategies.map(([kind, body]): Case => ({
    what: `strategies: ${kind}`,
    send: addTo('oddities'),
    body,
  })),
  {
    what: 'strategies: constraint alone',
    send: 'POST /api/admin/constraints/validate',
    body: { contextName: 'userId', operator: 'IN', values: ['1'] },
  },
  {
    what: 'strategies: wrong constraint alone',
    send: 'POST /api/admin/constraints/validate',
    body: { contextName: 'userId', operator: 'NUM_EQ', value: 'x' },
  },
  {
    what: 'strategies: variants of an environment',
    send: `PUT ${IN}/variants`,
    body: [variant('a', { weight: 1_000 })],
  },
];
