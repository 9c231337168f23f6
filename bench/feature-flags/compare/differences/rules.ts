import type { Difference } from '../judge.ts';

/** Validation rules that differ between the servers. */
export const strictness: readonly Difference[] = [
  {
    of: [
      'strategies: IN wrong *',
      'strategies: NOT_IN wrong *',
      'strategies: STR_* wrong *',
      'strategies: NUM_* wrong *',
      'strategies: DATE_* wrong *',
      'strategies: SEMVER_* wrong *',
      'strategies: REGEX wrong *',
      'strategies: IN_CIDR right',
      'strategies: NOPE right',
      'strategies: inverted REGEX',
      'strategies: unknown segment',
      'segments: create with an unknown operator',
    ],
    at: ['status'],
    reason:
      'The client specification needs these stored. They are, and the flag lists them in `problems` with who gets it.',
  },
  {
    of: [
      'strategies: userWithId',
      'strategies: legacy rollout',
      'strategies: unknown kind',
    ],
    at: ['status'],
    reason:
      'SDKs evaluate legacy and custom strategies; the contract creates them.',
  },
  {
    of: [
      'strategies: one fixed variant',
      'strategies: variant with broken JSON',
      'strategies: variant with a number of letters',
      'strategies: variant with a payload of unknown type',
      'strategies: variant without stickiness',
    ],
    at: ['status'],
    reason:
      'The client specification has variants of any weight; payloads are passed on as they are.',
  },
  {
    of: [
      'strategies: without parameters',
      'strategies: rollout of 150',
      'strategies: rollout of letters',
      'strategies: unknown stickiness',
      'strategies: unknown field',
    ],
    at: ['status'],
    reason:
      'Nothing is on for more people than was said: what is missing or not understood is 400.',
  },
  {
    of: [
      'strategies: rollout as number',
      'strategies: constraint with numbers',
      'strategies: constraint with a numeric value',
      'flags: name a number',
    ],
    at: ['status'],
    reason:
      'SDKs read texts: a number is 400 with its field, and never turned into one.',
  },
  {
    of: ['flags: name with an umlaut', 'flags: create with an unknown type'],
    at: ['status'],
    reason:
      'The client specification has names of any letters; types are free.',
  },
  {
    of: ['flags: tag of *'],
    at: ['status'],
    reason: 'Tags may be of any type and of one letter.',
  },
  {
    of: ['flags: depend on an unknown one', 'flags: depend on a child'],
    at: ['status'],
    reason:
      'Stored, as the client specification needs, and listed in `problems`.',
  },
  {
    of: [
      'flags: depend on itself',
      'strategies: unknown environment',
      'segments: read one of letters',
    ],
    at: ['status'],
    reason:
      'Uniform here: a bad field is 400, and what a path names and is not there is 404.',
  },
  {
    of: ['flags: link to no address', 'tokens: create expired'],
    at: ['status'],
    reason:
      'Links are web addresses, and a token does not begin after its end.',
  },
  {
    of: ['context: remove'],
    at: ['status'],
    reason: 'The context fields of every SDK stay.',
  },
  {
    of: ['strategies: variants of an environment'],
    at: ['status'],
    reason: 'Unleash deprecated variants of flags; SDKs still evaluate them.',
  },
  {
    of: ['flags: not JSON', 'metrics: an unknown content type'],
    at: ['status'],
    reason: 'On the admin API, the platform answers 400 to another media type.',
  },
];
