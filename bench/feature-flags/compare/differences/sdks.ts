import type { Difference } from '../judge.ts';

/** Differences that are visible to SDKs. */
export const sdks: readonly Difference[] = [
  {
    of: ['client: *feature*', 'client: with Bearer'],
    at: ['body.description', 'body.features[].description'],
    reason: 'A flag without description has an empty one, as in the contract.',
  },
  {
    of: ['client: *feature*', 'client: with Bearer'],
    at: ['body.dependencies.length', 'body.features[].dependencies.length'],
    reason: 'Unleash repeats a dependency for each strategy of the flag.',
  },
  {
    of: ['client: *feature*', 'client: with Bearer'],
    at: [
      'body.dependencies[].variants',
      'body.features[].dependencies[].variants',
      'body.features[].strategies[].variants',
    ],
    reason: 'Empty lists are left out, which SDKs read the same.',
  },
  {
    of: ['client: *feature*', 'client: with Bearer'],
    at: [
      'body.query.project',
      'body.query.inlineSegmentConstraints',
      'body.meta.queryHash',
    ],
    reason:
      'No SDK reads the echo of the query; ours names the projects of the token.',
  },
  {
    of: ['client: *feature*'],
    at: ['body.segments.length'],
    reason: 'Only segments that the flags of the response use are sent.',
  },
  {
    of: ['client: features for a spec that is none'],
    at: ['status'],
    reason:
      'A header that is not understood counts as an old SDK: a typo must not stop a fleet.',
  },
  {
    of: [
      'client: features by a tag without type',
      'client: features with an empty prefix and tag',
    ],
    at: ['status'],
    reason:
      'A tag without type is one of the type simple, and an empty one no filter.',
  },
  {
    of: ['client: features unchanged*', 'client: one feature*'],
    at: ['headers.etag'],
    reason:
      'A 304 has its ETag here, as RFC 9110 asks for; single flags have none.',
  },
  {
    of: [
      'register: strategies as objects',
      'metrics: times missing',
      'metrics: toggles missing',
    ],
    at: ['status'],
    reason:
      'What can be read of a report is kept: the SDK would drop all of it.',
  },
  {
    of: ['frontend: POST with members at the top'],
    at: ['body.toggles*'],
    reason:
      'Unleash ignores a context that is not below `context`; here it counts.',
  },
  {
    of: ['frontend: with two users'],
    at: ['status'],
    reason:
      'A member of the context has one value; which one counts would be a guess.',
  },
  {
    of: ['frontend: *'],
    at: ['headers.etag'],
    reason: 'Express puts an ETag on each response.',
  },
];
