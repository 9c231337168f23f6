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
  // Closing an issue of DevLake may have no body.
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
 * Maps a delivery to events, depending only on the delivery and the configuration, so that
 * a replay gives the same result. An invalid delivery gives one item with an error that
 * names the field.
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
