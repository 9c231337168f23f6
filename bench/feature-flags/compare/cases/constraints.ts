import type { Case } from '../Case.ts';

const FLAGS = '/api/admin/projects/default/features';

/**
 * Returns the method and path that add a strategy to a flag. The Unleash server accepts at most 30
 * strategies per flag.
 */
export const addTo = (flag: string) =>
  `POST ${FLAGS}/${flag}/environments/development/strategies`;

/** Returns a strategy that rolls out to half of the users. */
export const rollout = (more: object = {}) => ({
  name: 'flexibleRollout',
  parameters: { rollout: '50', stickiness: 'userId', groupId: 'rules' },
  ...more,
});

/** Operators, each with a constraint that has a valid value and some with invalid ones. */
const operators: [operator: string, right: object, ...wrong: object[]][] = [
  ...['IN', 'NOT_IN'].map((name): [string, object, object] => [
    name,
    { values: ['1', '2'] },
    { values: [] },
  ]),
  ...['STR_STARTS_WITH', 'STR_ENDS_WITH', 'STR_CONTAINS'].map(
    (name): [string, object, object] => [
      name,
      { values: ['a'], caseInsensitive: true },
      { values: [] },
    ],
  ),
  ...['NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE'].map(
    (name): [string, object, object] => [
      name,
      { value: '7.5' },
      { value: 'seven' },
    ],
  ),
  ...['DATE_AFTER', 'DATE_BEFORE'].map((name): [string, object, object] => [
    name,
    { value: '2026-11-23T12:00:00.000Z' },
    { value: 'tomorrow' },
  ]),
  ...['SEMVER_EQ', 'SEMVER_GT', 'SEMVER_GTE', 'SEMVER_LT', 'SEMVER_LTE'].map(
    (name): [string, object, object] => [
      name,
      { value: '1.2.3' },
      { value: '1.2' },
    ],
  ),
  ['REGEX', { value: '^a+$' }, { value: '(' }, { value: '(?=a)b' }],
  ['IN_CIDR', { values: ['10.0.0.0/8'] }],
  ['NOPE', { values: ['1'] }],
];

/** Strategies for every operator, with a valid value and invalid ones. */
export const constraintCases = operators.flatMap(([operator, ...values]) =>
  values.map((value, index): Case => ({
    what: `strategies: ${operator} ${index === 0 ? 'right' : `wrong ${index}`}`,
    send: addTo('operators'),
    body: rollout({
      constraints: [{ contextName: 'userId', operator, ...value }],
    }),
  })),
);
