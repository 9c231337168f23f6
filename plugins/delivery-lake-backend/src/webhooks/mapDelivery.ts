import { z } from 'zod';
import { Forge, Sender, Tracker } from '@slipway/platform-guards';
import { DeliveryLakeConfig } from '../config';
import { RawDelivery } from '../events/Delivery';
import { LakeEvent, TEXT_LIMITS } from '../events/LakeEvent';
import type { DeployedNames } from '../storage/DeployedNames';
import { mapCloudEvent } from './cloudevents/cloudevents';
import { mapDevlake } from './devlake/devlake';
import { createGiteaMapper } from './gitea/gitea';
import { mapGithub } from './github/github';
import { mapGitlab } from './gitlab/gitlab';
import { jira } from './jira/jira';
import { pagerduty } from './pagerduty/pagerduty';
import {
  DeliveryContext,
  DeliveryMapper,
  ignoring,
  MappedDelivery,
  PayloadError,
  TrackerReader,
} from './payload';

const FORGE_MAPPERS: Readonly<Record<Forge, DeliveryMapper>> = {
  github: mapGithub,
  gitlab: mapGitlab,
  gitea: createGiteaMapper('gitea'),
  forgejo: createGiteaMapper('forgejo'),
};

const TRACKER_READERS: Readonly<Record<Tracker, TrackerReader>> = {
  pagerduty,
  jira,
};

/** Returns the reader for the deliveries of a tracker; undefined for forges and other channels. */
export function trackerReader(channel: string): TrackerReader | undefined {
  return Object.hasOwn(TRACKER_READERS, channel)
    ? TRACKER_READERS[channel as Tracker]
    : undefined;
}

const namedRepository = z.object({
  repository: z.object({ full_name: z.string() }).optional().catch(undefined),
  // GitLab's repository; GitHub uses the name `project` for something else.
  project: z
    .object({ path_with_namespace: z.string() })
    .optional()
    .catch(undefined),
});

/**
 * Returns the repository that a forge's delivery is about, or the account of a tracker's delivery.
 */
export function repositoryIn(
  channel: Sender,
  body: unknown,
): string | undefined {
  const tracker = trackerReader(channel);
  if (tracker) {
    return tracker.accountOf(body);
  }
  const { repository, project } = namedRepository.safeParse(body).data ?? {};
  return channel === 'gitlab'
    ? project?.path_with_namespace
    : repository?.full_name;
}

/**
 * Returns the reason to ignore a delivery that has the secret of a connected repository but is about
 * another one; undefined if it is about the connected one. Together with {@link limited}, this
 * ensures that an admin of one repository cannot report for others.
 */
function notAbout(
  connected: string,
  { channel, body }: { channel: Sender; body: unknown },
): string | undefined {
  const named = repositoryIn(channel, body);
  return named?.toLocaleLowerCase('en-US') ===
    connected.toLocaleLowerCase('en-US')
    ? undefined
    : `The delivery is about ${named ?? 'no repository'}; this connection is for ${connected}`;
}

/**
 * Makes ids of deployments unique within a connected repository, because forges number deployments
 * and releases separately on each of their instances, and an admin of the repository can send any
 * id. The same ids are used for a connected repository that also reports to the common webhook, so
 * that a deployment is one record.
 */
function withOwnIds(connected: string, event: LakeEvent): LakeEvent {
  const ownId = (id: string) => `${connected.toLocaleLowerCase('en-US')}:${id}`;
  if (event.kind === 'deployment') {
    return { ...event, externalId: ownId(event.externalId) };
  }
  if (event.kind !== 'incident' || !event.deployment?.externalId) {
    return event;
  }
  const externalId = ownId(event.deployment.externalId);
  return {
    ...event,
    // No real id is that long, but an issue may contain any text as the link.
    deployment:
      externalId.length > TEXT_LIMITS.externalId
        ? null
        : { ...event.deployment, externalId },
  };
}

/**
 * Limits an event with {@link withOwnIds} to the connected repository, because an admin of it could
 * name any service and any deployment. A deployment without a service belongs to its repository,
 * unless a report of it to the common webhook names a service.
 */
function limited(event: LakeEvent): LakeEvent {
  if (event.kind === 'deployment') {
    return { ...event, service: undefined };
  }
  return event.kind === 'incident' && event.deployment
    ? { ...event, deployment: { ...event.deployment, isOwn: true } }
    : event;
}

/** Maps a delivery of a tracker. A connected account may only report for itself. */
function readTracker(
  reader: TrackerReader,
  delivery: DeliveryContext & { channel: Tracker; repository?: string },
): MappedDelivery {
  const mapped = reader.map(delivery);
  const { repository } = delivery;
  const reason =
    repository === undefined || mapped.items.length === 0
      ? undefined
      : notAbout(repository, delivery);
  return reason === undefined ? mapped : ignoring(reason);
}

function isForge(channel: string): channel is Forge {
  return Object.hasOwn(FORGE_MAPPERS, channel);
}

function read(
  { channel, type, body: text, context }: RawDelivery,
  config: DeliveryLakeConfig,
): MappedDelivery {
  // A request that closes an issue of DevLake may have no body.
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  if (channel === 'cloudevents') {
    return mapCloudEvent({ type, body });
  }
  if (channel === 'devlake') {
    return mapDevlake({
      path: context?.path ?? '',
      receivedAt: Number(context?.receivedAt),
      body,
    });
  }
  const tracker = trackerReader(channel);
  if (tracker) {
    return readTracker(tracker, {
      ...{ channel: channel as Tracker, source: channel, type, body, config },
      service: context?.service,
      repository: context?.repository,
    });
  }
  if (!isForge(channel)) {
    return ignoring(`The lake has no channel ${channel}`);
  }
  const repository = context?.repository;
  const connected = context?.connected ?? repository;
  const reason =
    repository === undefined
      ? undefined
      : notAbout(repository, { channel, body });
  if (reason !== undefined) {
    return ignoring(reason);
  }
  const { items, ...rest } = FORGE_MAPPERS[channel]({
    source: channel,
    type,
    body,
    config,
  });
  return {
    items: items.map(item => {
      if (connected === undefined || !('event' in item)) {
        return item;
      }
      const event = withOwnIds(connected, item.event);
      return { event: repository === undefined ? event : limited(event) };
    }),
    ...rest,
  };
}

/**
 * Adds the service that a tracker's delivery is about. A service that was found earlier is kept if
 * none is found now, and replaced otherwise: since the delivery was received, a component may have
 * claimed the name, or its deployments may have been imported.
 *
 * @param deployed - finds the service.
 */
export async function withService(
  delivery: RawDelivery,
  deployed: Pick<DeployedNames, 'find'>,
): Promise<RawDelivery> {
  const { channel, body, context } = delivery;
  const reader = trackerReader(channel);
  if (!reader) {
    return delivery;
  }
  const payload: unknown = JSON.parse(body);
  const startedAt = reader.startOf(payload);
  const service =
    startedAt === undefined
      ? undefined
      : await deployed.find(reader.serviceNamesOf(payload), startedAt);
  return service === undefined
    ? delivery
    : { ...delivery, context: { ...context, service } };
}

/**
 * Maps a delivery to events. Depends only on the delivery and the configuration, so that a replay
 * gives the same result. An invalid delivery gives one item with an error that names the field.
 */
export function mapDelivery(
  delivery: RawDelivery,
  config: DeliveryLakeConfig,
): MappedDelivery {
  try {
    return read(delivery, config);
  } catch (error) {
    if (error instanceof PayloadError) {
      return { items: [{ error: error.message, field: error.field }] };
    }
    if (error instanceof SyntaxError) {
      return { items: [{ error: 'The body is not valid JSON' }] };
    }
    throw error;
  }
}
