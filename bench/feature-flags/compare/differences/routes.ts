import type { Difference } from '../judge.ts';

/** Unleash routes that our server does not have, with their replacements. */
export const absent: readonly Difference[] = [
  {
    of: ['flags: validate a *', 'segments: validate *', 'context: validate'],
    at: ['status'],
    reason: 'Not offered: creating answers 400 or 409 in the same way.',
  },
  {
    of: ['flags: patch*', 'strategies: patch'],
    at: ['status'],
    reason: 'JSON Patch is not offered: PUT and PATCH take the changed fields.',
  },
  {
    of: [
      'flags: clone',
      'flags: possible parents',
      'flags: end all dependencies',
    ],
    at: ['status'],
    reason: 'Not offered: each step has a route of its own.',
  },
  {
    of: ['flags: revive', 'flags: stale, several', 'flags: archive, several'],
    at: ['status'],
    reason:
      'Several flags at once are changed by an import or by flags as code.',
  },
  {
    of: ['strategies: constraint alone', 'strategies: wrong constraint alone'],
    at: ['status'],
    reason: 'Not offered: rules are checked where they are written.',
  },
  {
    of: ['context: *legal value', 'context: strategies of a field'],
    at: ['status'],
    reason: 'Not offered: PUT sets all legal values.',
  },
  {
    of: ['tag types: list'],
    at: [
      'body.tagTypes[].description',
      'body.tagTypes[].icon',
      'body.tagTypes[].color',
    ],
    reason:
      'Unleash comes with a description, an icon and a colour for its first type; here a type has what its author gave it.',
  },
  {
    of: ['tag types: create'],
    at: ['body.color'],
    reason: 'A type without a colour says so with null.',
  },
  {
    of: [
      'environments: on',
      'environments: off',
      'environments: sort',
      'environments: of a project',
    ],
    at: ['status'],
    reason:
      'Not offered: PUT changes an environment, and each project has all of them.',
  },
  {
    of: [
      'projects: overview',
      'strategies of the server',
      'types of flags',
      'events: search',
      'playground',
    ],
    at: ['status'],
    reason:
      'Not offered under this path: GET /search/features, GET /events and POST /playground/features say the same.',
  },
  {
    of: ['usage: a flag'],
    at: ['status'],
    reason: 'The contract has usage below /api/admin/metrics/features.',
  },
];

/** Additions in our contract, and routes that Unleash only has in its paid edition. */
export const added: readonly Difference[] = [
  {
    of: ['flags: legacy *', 'usage: a flag, legacy'],
    at: ['status'],
    reason: 'The contract of the platform has the routes of Unleash 3 and 4.',
  },
  {
    of: ['client: delta', 'bulk: old path of Edge'],
    at: ['status'],
    reason: 'Unleash has these in Edge and the paid server only.',
  },
  {
    of: ['environments: create', 'projects: create'],
    at: ['status'],
    reason: 'Unleash has these in the paid server only.',
  },
  {
    of: ['tokens: create for admins'],
    at: ['status'],
    reason:
      'The portal creates admin tokens; Unleash has personal ones in their place.',
  },
];
