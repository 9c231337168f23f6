import {
  type Administration,
  isoOf,
  type Role,
  type Token,
  type Webhook,
} from '@slipway/entity-contract';
import {
  type CommonConfig,
  configuredTokens,
  type ServiceKit,
} from '@slipway/service-kit';
import type { AnalyticsConfig } from './config.ts';
import type {
  Destinations,
  DestinationState,
} from './destinations/Destinations.ts';
import type { Credential } from './projects/Credential.ts';
import type { Project } from './projects/Project.ts';
import type { CredentialStore } from './projects/storage/CredentialStore.ts';
import type { ProjectStore } from './projects/storage/ProjectStore.ts';

/** Reports who may read which project, the keys and tokens of all projects, and their destinations. */
export async function reportAnalytics(
  kit: Pick<ServiceKit<AnalyticsConfig & CommonConfig>, 'config' | 'uses'>,
  parts: {
    projects: Pick<ProjectStore, 'list'>;
    credentials: Pick<CredentialStore, 'list'>;
    destinations: Pick<Destinations, 'list'>;
  },
): Promise<Administration> {
  const { admins, events } = kit.config;
  const [projects, credentials, destinations, uses] = await Promise.all([
    parts.projects.list(),
    parts.credentials.list(),
    parts.destinations.list(),
    kit.uses.all(),
  ]);
  return {
    roles: [
      {
        name: 'Admins',
        groups: [...admins],
        may: [
          'Manage projects, keys, tokens and destinations',
          'Read every project, and delete persons',
        ],
        key: 'analytics.admins',
      },
      ...projects.flatMap(readersOf),
      {
        name: 'Every signed-in user',
        groups: [],
        may: ['Read every project that has no readers of its own'],
      },
      { name: 'Project keys', groups: [], may: ['Send events'] },
      {
        name: 'API tokens',
        groups: [],
        may: ['Query, export or import events of their project, by scope'],
      },
    ],
    tokens: [
      ...credentials.map(each => presentCredential(each, uses.get(each.id))),
      ...(await configuredTokens(kit, {
        credentials: (events.backups?.tokens ?? []).map(token => ({
          ...token,
          scopes: ['backups'],
        })),
        as: ['bearer'],
        kind: 'api-token',
      })),
    ],
    webhooks: destinations.map(presentDestination),
  };
}

function readersOf({ id, name, readers }: Project): Role[] {
  return readers && readers.length > 0
    ? [
        {
          // Two projects may have the same name.
          name: `Readers of ${name} (${id})`,
          groups: [...readers],
          may: [`Read the project ${id}`],
        },
      ]
    : [];
}

function presentCredential(
  credential: Credential,
  usedAt: number | undefined,
): Token {
  const { id, projectId, kind, name, scopes, origin, expiresAt } = credential;
  const configured = origin === 'configuration';
  return {
    id,
    name,
    kind: kind === 'capture' ? 'project-key' : 'api-token',
    scopes: [projectId, ...(scopes ?? [])],
    configured,
    createdAt: configured ? null : isoOf(credential.createdAt),
    createdBy: configured ? null : credential.createdBy,
    lastUsedAt: isoOf(usedAt),
    expiresAt: isoOf(expiresAt),
    page: `/analytics/settings?project=${encodeURIComponent(projectId)}`,
    ...(!configured && {
      remove: `/api/projects/${projectId}/credentials/${id}`,
    }),
  };
}

function presentDestination({
  destination,
  progress,
}: DestinationState): Webhook {
  const { id, projectId, kind, address, events, origin, sink, isPaused } =
    destination;
  const configured = origin === 'configuration';
  const path = `/api/projects/${projectId}/destinations/${id}`;
  const { lastSuccessAt, lastError, failures = 0 } = progress ?? {};
  // The last error may be about a skipped event, which does not count as a failure.
  const error = failures > 0 ? (lastError ?? null) : null;
  return {
    id: `${projectId}/${id}`,
    name: `${projectId} / ${id}`,
    direction: 'outgoing',
    kind: kind === 's3' ? 'S3 bucket' : 'Webhook',
    host: URL.parse(address)?.host ?? null,
    events: [...(events ?? ['*'])],
    configured,
    signed: true,
    paused: isPaused,
    lastAt: isoOf(lastSuccessAt),
    error: sink ? error : 'Its secrets were encrypted with another key',
    failures,
    page: `/analytics/destinations?${new URLSearchParams({ project: projectId, destination: id })}`,
    ...(sink && { test: `${path}/test` }),
    ...(!configured && { remove: path }),
  };
}
