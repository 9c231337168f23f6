import { DeliveryLakeConfig } from '../config';
import { RawDelivery } from '../events/LakeEvent';
import { mapCloudEvent } from './cloudevents/cloudevents';
import { mapDevlake } from './devlake/devlake';
import { createGiteaMapper } from './gitea/gitea';
import { mapGithub } from './github/github';
import { mapGitlab } from './gitlab/gitlab';
import {
  DeliveryMapper,
  ignoring,
  MappedDelivery,
  PayloadError,
} from './payload';

const FORGE_MAPPERS: Readonly<Record<string, DeliveryMapper>> = {
  github: mapGithub,
  gitlab: mapGitlab,
  gitea: createGiteaMapper('gitea'),
  forgejo: createGiteaMapper('forgejo'),
};

function read(
  { channel, type, body: text, context }: RawDelivery,
  config: DeliveryLakeConfig,
): MappedDelivery {
  // Closing an issue of DevLake may come without a body.
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
  return Object.hasOwn(FORGE_MAPPERS, channel)
    ? FORGE_MAPPERS[channel]({ source: channel, type, body, config })
    : ignoring(`The lake has no channel ${channel}`);
}

/**
 * Says what a delivery means, by nothing but itself and the configuration: the
 * same today as when it is replayed. One that cannot be read means one item that
 * says which field is at fault.
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
