import {
  type Administration,
  configuredToken,
  incomingWebhook,
  isoOf,
  type Token,
  type Webhook,
} from '@slipway/entity-contract';
import { configuredTokens } from '@slipway/service-kit';
import type { Agent, Invitation } from './agents/Agent.ts';
import { pageOf } from './builds/Build.ts';
import type { BuildServerConfig, Kit } from './config.ts';
import type { Job } from './jobs/Job.ts';
import type { JobCatalog } from './jobs/JobCatalog.ts';
import type { AgentStore } from './storage/AgentStore.ts';
import type { JobHistory } from './storage/JobHistory.ts';

type WebhookJob = Job & { webhook: NonNullable<Job['webhook']> };

const AGENTS_PAGE = '/builds/-/agents';

/** Reports who may do what, tokens and agents, and the jobs that webhooks trigger. */
export async function reportBuildServer(
  kit: Pick<Kit, 'config' | 'now' | 'uses'>,
  parts: {
    jobs: Pick<JobCatalog, 'all' | 'disabledReason'>;
    agents: Pick<AgentStore, 'list' | 'invitations'>;
    history: Pick<JobHistory, 'lastWebhooks'>;
  },
): Promise<Administration> {
  const { config, now } = kit;
  const { jobs } = parts;
  const hooked = jobs
    .all()
    .filter((job): job is WebhookJob => job.webhook !== undefined);
  const [agents, invitations, received] = await Promise.all([
    parts.agents.list(),
    parts.agents.invitations(now()),
    parts.history.lastWebhooks(),
  ]);
  return {
    roles: rolesOf(config.auth),
    tokens: [
      ...(await configuredTokens(kit, {
        credentials: config.auth.users,
        as: ['basic', 'bearer'],
        kind: 'api-token',
      })),
      ...agents.map(presentAgent),
      ...invitations.map(presentInvitation),
      ...secretsOf(jobs.all()),
      ...Object.entries(config.forges).map(([name, { url }]) =>
        configuredToken({
          id: `forge-${name}`,
          name: `Commit status at ${new URL(url).host}`,
          kind: 'outgoing',
        }),
      ),
    ],
    webhooks: hooked.map(job =>
      presentWebhook(job, {
        lastAt: received.get(job.name),
        disabled: jobs.disabledReason(job.name) !== undefined,
      }),
    ),
  };
}

function rolesOf({
  triggerGroups,
  adminGroups,
}: BuildServerConfig['auth']): Administration['roles'] {
  return [
    {
      name: 'Admins',
      groups: [...adminGroups],
      may: [
        'Manage agents, secrets and sample jobs',
        'Disable and enable jobs, delete builds',
        'Read usage',
      ],
      key: 'buildServer.auth.adminGroups',
    },
    {
      name: 'Trigger groups',
      groups: [...triggerGroups],
      may: ['Trigger and stop every job'],
      key: 'buildServer.auth.triggerGroups',
    },
    {
      name: 'Owners of a job',
      groups: [],
      may: ['Trigger, stop, disable and enable the job'],
    },
    {
      name: 'Every signed-in user',
      groups: [],
      may: ['Read all jobs, builds and logs'],
    },
    {
      name: 'API tokens',
      groups: [],
      may: ['Read, trigger, or manage as admins, by scope'],
      key: 'buildServer.auth.users',
    },
    {
      name: 'Agents',
      groups: [],
      may: ['Run the builds that their labels allow'],
    },
  ];
}

function presentAgent(agent: Agent): Token {
  const { id, name, labels, createdAt, createdBy, seenAt } = agent;
  return {
    id,
    name,
    kind: 'agent-token',
    scopes: [...labels],
    configured: false,
    createdAt: isoOf(createdAt),
    createdBy,
    lastUsedAt: isoOf(seenAt),
    expiresAt: null,
    page: AGENTS_PAGE,
    remove: `/agents/${id}`,
  };
}

function presentInvitation(invitation: Invitation, index: number): Token {
  const { labels, createdAt, createdBy, expiresAt } = invitation;
  return {
    id: `enrolment-${index}`,
    name: 'New agent',
    kind: 'enrolment-token',
    scopes: [...labels],
    configured: false,
    createdAt: isoOf(createdAt),
    createdBy,
    lastUsedAt: null,
    expiresAt: isoOf(expiresAt),
    page: AGENTS_PAGE,
  };
}

/** Returns the secrets that trigger jobs, each with the names of its jobs. */
function secretsOf(jobs: readonly Job[]): Token[] {
  const jobsOf = new Map<string, string[]>();
  for (const { name, webhook, buildToken } of jobs) {
    const [parent] = name.split('/');
    const secrets = [
      webhook?.token,
      ...(webhook?.signingSecrets ?? []),
      buildToken,
    ];
    for (const secret of secrets.filter(each => each !== undefined)) {
      jobsOf.set(secret, [...(jobsOf.get(secret) ?? []), parent]);
    }
  }
  return [...jobsOf].map(([name, scopes]) =>
    configuredToken({
      id: `secret-${name}`,
      name,
      kind: 'webhook-secret',
      scopes: [...new Set(scopes)],
    }),
  );
}

function presentWebhook(
  { name, webhook }: WebhookJob,
  { lastAt, disabled }: { lastAt: number | undefined; disabled: boolean },
): Webhook {
  return incomingWebhook({
    id: `job-${name}`,
    name: `Trigger of ${name}`,
    kind: 'Webhook',
    signed: webhook.signingSecrets !== undefined,
    paused: disabled,
    lastAt: isoOf(lastAt),
    page: pageOf({ job: name }),
  });
}
