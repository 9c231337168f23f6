import { Type } from 'typebox';
import {
  STEP_STATES,
  type StepState,
  type TestOutcome,
} from '../builds/Build.ts';
import type { ExecutorsStatus, ImagesStatus } from '../execution/Executor.ts';
import { AnyObject, nullable } from '../jenkins/schemas.ts';
import { LABEL, LABEL_DESCRIPTION } from '../jobs/Job.ts';
import { ApprovalSchema } from '../jobs/JobStep.ts';

const Label = Type.String({
  pattern: LABEL,
  patternDescription: LABEL_DESCRIPTION,
});

const Labels = Type.Array(Label, { maxItems: 20, uniqueItems: true });

const Session = Type.String({
  pattern: '^[0-9a-f]{8,32}$',
  patternDescription: 'must be 8 to 32 hexadecimal digits',
});
const Capacity = Type.Integer({ minimum: 1, maximum: 64 });

/** The response of a route that has nothing to return. */
export const NoContent = { 204: { description: 'Done.' } };

export const AgentParams = Type.Object({
  agent: Type.String({ maxLength: 32 }),
});

export const HeldParams = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

export const ArtifactParams = Type.Object({
  ...HeldParams.properties,
  '*': Type.String({ maxLength: 1_000 }),
});

/** Query of every request about a build: the session of the agent, and the attempt. */
export const HeldQuery = Type.Object({
  session: Session,
  attempt: Type.Integer({ minimum: 1 }),
});

export const LogQuery = Type.Object({
  ...HeldQuery.properties,
  offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
});

export const LogAnswer = Type.Object({
  end: Type.Integer({ description: 'Start of the next part.' }),
});

const ExecutorBody = Type.Object({
  kind: Type.Unsafe<ExecutorsStatus['kind']>(
    Type.String({
      enum: ['bubblewrap', 'none', 'containers', 'kubernetes'],
    }),
  ),
  limits: nullable(Type.String({ maxLength: 200 })),
  gaps: Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 20 }),
});

/** How an agent isolates its builds, as reported by the agent. */
const ExecutorsBody = Type.Object({
  ...ExecutorBody.properties,
  containers: Type.Unsafe<ImagesStatus | null>(
    Type.Union(
      [
        Type.Object({
          ...ExecutorBody.properties,
          engine: nullable(Type.String({ maxLength: 200 })),
          fault: nullable(Type.String({ maxLength: 1_000 })),
        }),
        Type.Null(),
      ],
      // Older agents do not mention them.
      { default: null },
    ),
  ),
});

export const EnrolBody = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 200 }),
  name: Type.String({
    pattern: '^[a-z0-9][a-z0-9._-]{0,62}$',
    patternDescription:
      'must contain at most 63 lower-case letters, digits and . _ -',
  }),
  capacity: Capacity,
});

export const EnrolAnswer = Type.Object({
  id: Type.String(),
  token: Type.String({ description: 'Of the agent; it is shown only here.' }),
  labels: Type.Array(Type.String()),
});

export const SessionBody = Type.Object({
  session: Session,
  protocol: Type.Integer({ minimum: 1, maximum: 1_000 }),
  capacity: Capacity,
  version: Type.String({ maxLength: 64 }),
  executor: ExecutorsBody,
});

export const SessionAnswer = Type.Object({
  id: Type.String(),
  name: Type.String(),
  leaseMs: Type.Integer(),
});

export const WorkBody = Type.Object({
  session: Session,
  free: Capacity,
  waitMs: Type.Integer({ minimum: 0, maximum: 15_000 }),
});

export const WorkAnswer = Type.Object({ orders: Type.Array(AnyObject) });

export const RenewBody = Type.Object({
  session: Session,
  builds: Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 200 }),
});

export const RenewAnswer = Type.Object({
  builds: Type.Array(
    Type.Object({
      id: Type.Integer(),
      attempt: Type.Integer(),
      stopRequestedBy: nullable(Type.String()),
    }),
  ),
  state: Type.String({ enum: ['active', 'draining'] }),
});

const Step = Type.Object(
  {
    name: Type.String({ maxLength: 1_000 }),
    state: Type.Unsafe<StepState>(Type.String({ enum: [...STEP_STATES] })),
    startedAt: nullable(Type.Integer()),
    finishedAt: nullable(Type.Integer()),
    message: nullable(Type.String({ maxLength: 20_000 })),
    faults: Type.Optional(
      Type.Array(
        Type.Object({
          message: Type.String({ maxLength: 1_000 }),
          line: Type.Integer({ minimum: 1 }),
          column: Type.Integer({ minimum: 1 }),
        }),
        { maxItems: 100 },
      ),
    ),
  },
  { additionalProperties: true },
);

const progress = {
  steps: Type.Array(Step, { maxItems: 1_000 }),
  source: Type.Optional(
    Type.Union([
      Type.Object(
        {
          commits: Type.Array(Type.Object({}, { additionalProperties: true })),
        },
        { additionalProperties: true },
      ),
      Type.Null(),
    ]),
  ),
};

export const ProgressBody = Type.Object(progress);

export const GateBody = Type.Object({
  step: Type.String({ minLength: 1, maxLength: 400 }),
  approval: ApprovalSchema,
});

export const GateAnswer = Type.Object({
  decision: Type.Union([
    Type.Object({
      isApproved: Type.Boolean(),
      by: Type.String(),
      comment: nullable(Type.String()),
      values: Type.Record(Type.String(), Type.String()),
    }),
    Type.Null(),
  ]),
});

export const CacheParams = Type.Object({
  ...HeldParams.properties,
  name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$' }),
  key: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

export const OthersQuery = Type.Object({
  ...HeldQuery.properties,
  job: Type.String({ minLength: 1, maxLength: 400 }),
});

export const OtherFileQuery = Type.Object({
  ...OthersQuery.properties,
  number: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
  path: Type.String({ minLength: 1, maxLength: 1_000 }),
});

export const OthersAnswer = Type.Object({
  found: Type.Union([
    Type.Object({
      number: Type.Integer(),
      paths: Type.Array(Type.String()),
    }),
    Type.Null(),
  ]),
});

const Tests = Type.Object(
  {
    total: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0 }),
    skipped: Type.Integer({ minimum: 0 }),
    failures: Type.Array(
      Type.Object({
        suite: Type.String(),
        name: Type.String(),
        message: Type.String(),
      }),
      { maxItems: 100 },
    ),
    cases: Type.Optional(
      Type.Array(
        Type.Object({
          suite: Type.String({ maxLength: 1_000 }),
          name: Type.String({ maxLength: 2_000 }),
          outcome: Type.Unsafe<TestOutcome>(
            Type.String({ enum: ['passed', 'failed', 'skipped', 'flaky'] }),
          ),
          durationMs: Type.Integer({ minimum: 0 }),
        }),
        { maxItems: 5_000 },
      ),
    ),
  },
  { additionalProperties: true },
);

export const OutcomeBody = Type.Object({
  ...progress,
  result: Type.Unsafe<'SUCCESS' | 'UNSTABLE' | 'FAILURE' | 'ABORTED'>(
    Type.String({ enum: ['SUCCESS', 'UNSTABLE', 'FAILURE', 'ABORTED'] }),
  ),
  reason: nullable(Type.String({ maxLength: 20_000 })),
  tests: nullable(Tests),
  artifacts: Type.Optional(
    Type.Array(
      Type.Object({
        path: Type.String({ maxLength: 1_000 }),
        size: Type.Integer({ minimum: 0 }),
      }),
      { maxItems: 1_000 },
    ),
  ),
});

export const InviteBody = Type.Object({ labels: Type.Optional(Labels) });

export const InviteAnswer = Type.Object({
  token: Type.String({
    description: 'Enrols one agent within 15 minutes; it is shown only here.',
  }),
});

const AgentAnswer = Type.Object({
  id: Type.String(),
  name: Type.String(),
  labels: Type.Array(Type.String()),
  state: Type.String({ enum: ['active', 'draining'] }),
  connected: Type.Boolean(),
  capacity: Type.Integer(),
  running: Type.Array(
    Type.Object({ job: Type.String(), number: Type.Integer() }),
  ),
  version: nullable(Type.String()),
  executor: nullable(ExecutorsBody),
  seenAt: nullable(Type.Integer()),
  createdAt: Type.Integer(),
  createdBy: Type.String(),
});

export const AgentsAnswer = Type.Object({
  agents: Type.Array(AgentAnswer),
  manageable: Type.Boolean({
    description: 'Whether the caller may manage agents.',
  }),
});
