import { type TSchema, Type } from 'typebox';
import { STEP_STATES } from '../builds/Build.ts';
import { DiscardPolicySchema } from '../jobs/JobParts.ts';

export const nullable = <T extends TSchema>(schema: T) =>
  Type.Union([schema, Type.Null()]);
/** Allows fields that clients of Jenkins expect but that have no meaning here. */
const open = { additionalProperties: true };

/** An object whose members are not checked. */
export const AnyObject = Type.Object({}, open);

const Milliseconds = Type.Integer({ description: 'Milliseconds.' });
export const Epoch = Type.Integer({
  description: 'Milliseconds since the Unix epoch.',
});

/** The name of a job, or of one of its branches. */
const JobName = Type.String({ maxLength: 400 });

export const JobParams = Type.Object({ job: JobName });

export const BuildParams = Type.Object({
  job: JobName,
  build: Type.String({
    maxLength: 40,
    description: 'A number, or lastBuild, lastSuccessfulBuild, …',
  }),
});

export const ArtifactParams = Type.Object({
  ...BuildParams.properties,
  '*': Type.String({ maxLength: 1_000, description: 'Path of the artifact.' }),
});

export const ItemParams = Type.Object({
  id: Type.String({ maxLength: 40, description: 'Of the queue item.' }),
});

export const CancelQuery = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

const Step = Type.Object({
  name: Type.String(),
  state: Type.String({ enum: [...STEP_STATES] }),
  startedAt: nullable(Epoch),
  finishedAt: nullable(Epoch),
  message: nullable(Type.String()),
  needs: Type.Array(Type.Integer(), {
    description: 'Positions of the steps that come before it.',
  }),
});

const Tests = Type.Object({
  total: Type.Integer(),
  failed: Type.Integer(),
  skipped: Type.Integer(),
  failures: Type.Array(
    Type.Object({
      suite: Type.String(),
      name: Type.String(),
      message: Type.String(),
    }),
  ),
});

const PipelineFaults = Type.Array(
  Type.Object({
    file: Type.String(),
    message: Type.String(),
    line: Type.Integer(),
    column: Type.Integer(),
  }),
  { description: 'All errors in the pipeline files of the commit.' },
);

/** Fields of a build that people set: its name, its description, and that it is kept. */
const byPeople = {
  displayName: Type.String({ description: '`#` and its number by default.' }),
  description: nullable(Type.String()),
  keepLog: Type.Boolean({
    description: 'Whether a person keeps it, so that it is not deleted.',
  }),
  kept: nullable(
    Type.Object({
      by: Type.String(),
      at: Epoch,
      reason: nullable(Type.String()),
    }),
  ),
};

/** A build: the fields of the contract, then those for clients of Jenkins, then our own. */
export const BuildAnswer = Type.Object(
  {
    number: Type.Integer(),
    result: nullable(
      Type.String({ enum: ['SUCCESS', 'UNSTABLE', 'FAILURE', 'ABORTED'] }),
    ),
    building: Type.Boolean(),
    waiting: Type.Boolean({
      description: 'Whether it only waits for an approval.',
    }),
    duration: Milliseconds,
    timestamp: Epoch,
    url: Type.String(),
    changeSet: Type.Object({
      kind: Type.String(),
      items: Type.Array(
        Type.Object(
          {
            commitId: Type.String(),
            msg: Type.String(),
            author: Type.Object({ fullName: Type.String() }, open),
          },
          open,
        ),
      ),
    }),
    artifacts: Type.Array(
      Type.Object({
        fileName: Type.String(),
        relativePath: Type.String(),
        displayPath: Type.String(),
        size: Type.Integer({ description: 'Bytes.' }),
      }),
    ),
    reason: nullable(Type.String({ description: 'Reason for the result.' })),
    cause: Type.String(),
    pipelineFaults: PipelineFaults,
    steps: Type.Array(Step),
    tests: nullable(Tests),
    stoppable: Type.Boolean(),
    ...byPeople,
  },
  open,
);

const BuildReference = Type.Object(
  {
    number: Type.Integer(),
    url: Type.String(),
  },
  open,
);

/** An entry in the history of a job. */
const BuildSummary = Type.Object(
  {
    number: Type.Integer(),
    url: Type.String(),
    result: nullable(Type.String()),
    building: Type.Boolean(),
    waiting: Type.Boolean({
      description: 'Whether it only waits for an approval.',
    }),
    duration: Milliseconds,
    timestamp: Epoch,
    revision: nullable(Type.String({ description: 'Its commit.' })),
    ...byPeople,
  },
  open,
);

export const ItemAnswer = Type.Object(
  {
    id: Type.Integer(),
    url: Type.String(),
    why: nullable(Type.String()),
    cancelled: Type.Boolean(),
    blocked: Type.Boolean(),
    inQueueSince: Epoch,
    task: Type.Object({ name: Type.String(), url: Type.String() }, open),
    executable: nullable(BuildReference),
    buildNumber: Type.Integer({
      description: 'Number that the build has or will get.',
    }),
  },
  open,
);

const ParameterDefinitions = Type.Array(
  Type.Object({ name: Type.String(), type: Type.String() }, open),
);

/** A job in the list of all jobs. */
export const ListedJob = Type.Object(
  {
    name: Type.String(),
    fullName: Type.String(),
    displayName: Type.String(),
    fullDisplayName: Type.String(),
    url: Type.String(),
    color: Type.String(),
    description: nullable(Type.String()),
    buildable: Type.Boolean(),
    disabledBy: nullable(Type.String({ description: 'Who disabled the job.' })),
    file: nullable(Type.String({ description: 'The file that describes it.' })),
    parent: nullable(
      Type.String({
        description: 'The job whose branch or pull request it builds.',
      }),
    ),
    pullRequest: nullable(Type.Integer({ description: 'Its number.' })),
    pullRequestTitle: nullable(
      Type.String({
        description: 'The title of the pull request at its last build.',
      }),
    ),
    faults: Type.Array(
      Type.Object({
        message: Type.String(),
        line: Type.Integer(),
        column: Type.Integer(),
      }),
      { description: 'Errors in its file, which disable it.' },
    ),
    inQueue: Type.Boolean(),
    skipped: nullable(
      Type.Object(
        {
          commit: nullable(Type.String()),
          title: Type.String({ description: 'First line of its message.' }),
          ref: nullable(Type.String()),
          at: Epoch,
        },
        {
          description:
            'The last push, if its message says not to build it, unless a newer one was built.',
        },
      ),
    ),
    actions: Type.Array(Type.Object({}, open)),
    lastBuild: nullable(BuildSummary),
    recentBuilds: Type.Array(BuildSummary),
    owner: nullable(Type.String()),
    triggerable: Type.Boolean({
      description: 'Whether the caller may trigger it.',
    }),
    parameterDefinitions: ParameterDefinitions,
  },
  open,
);

export const JobAnswer = Type.Object(
  {
    ...ListedJob.properties,
    nextBuildNumber: Type.Integer(),
    manageable: Type.Boolean({
      description: 'True if the caller may disable and enable it.',
    }),
    builds: Type.Array(BuildSummary),
    keptBuilds: Type.Array(BuildSummary, {
      description: 'The newest of those that people keep.',
    }),
    keptCount: Type.Integer({ description: 'All that people keep.' }),
    maxKeptBuilds: Type.Integer({
      description: 'The number of builds that people may keep.',
    }),
    discardOldBuilds: DiscardPolicySchema,
    secrets: Type.Array(Type.String(), {
      description: 'Names of the secrets of its steps; never their values.',
    }),
    property: Type.Array(
      Type.Object({ parameterDefinitions: ParameterDefinitions }, open),
    ),
  },
  open,
);

export const RootAnswer = Type.Object({ jobs: Type.Array(ListedJob) }, open);

export const QueueListAnswer = Type.Object(
  { items: Type.Array(ItemAnswer) },
  open,
);

export const LogQuery = Type.Object({
  start: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'Bytes.',
    }),
  ),
});

export const LogAnswer = Type.Object({
  text: Type.String(),
  end: Type.Integer({ description: 'Start of the next part, in bytes.' }),
  more: Type.Boolean({
    description: 'Whether more output exists or may follow.',
  }),
});
