import { Type } from 'typebox';
import { JobParams, nullable } from '../jenkins/schemas.ts';

const Outcome = Type.String({ enum: ['passed', 'failed', 'skipped', 'flaky'] });

export const TestParams = Type.Object({
  ...JobParams.properties,
  test: Type.String({ pattern: '^[0-9a-f]{32}$', maxLength: 32 }),
});

export const TestsQuery = Type.Object({
  outcome: Type.Optional(Outcome),
  offset: Type.Integer({ minimum: 0, maximum: 100_000, default: 0 }),
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 200 }),
});

export const TestsAnswer = Type.Object({
  total: Type.Integer(),
  failed: Type.Integer(),
  skipped: Type.Integer(),
  listed: Type.Integer({
    description:
      'Matching test cases that are kept; only the first of very many.',
  }),
  tests: Type.Array(
    Type.Object({
      id: Type.String(),
      suite: Type.String(),
      name: Type.String(),
      outcome: Outcome,
      durationMs: Type.Integer(),
      message: nullable(Type.String()),
      isNew: Type.Boolean({
        description: 'Failed, but did not in the previous build.',
      }),
      isFlaky: Type.Boolean({
        description: 'Passed and failed on one commit within 14 days.',
      }),
      failures: Type.Integer({
        description: 'Builds of the last 14 days in which it failed.',
      }),
    }),
  ),
});

export const HistoryAnswer = Type.Object({
  suite: Type.String(),
  name: Type.String(),
  runs: Type.Array(
    Type.Object({
      job: Type.String(),
      number: Type.Integer(),
      outcome: Outcome,
      durationMs: Type.Integer(),
      sha: nullable(Type.String()),
      finishedAt: Type.Integer(),
    }),
    { description: 'Newest first.' },
  ),
});

export const FlakyAnswer = Type.Object({
  tests: Type.Array(
    Type.Object({
      id: Type.String(),
      suite: Type.String(),
      name: Type.String(),
      commits: Type.Integer({
        description:
          'Commits of the last 14 days on which it both passed and failed.',
      }),
    }),
  ),
});
