import { DeliveryLakeConfig } from '../config';
import { LakeEvent } from './LakeEvent';
import { TEXT_LIMITS } from './limits';
import { storable } from './storable';

function storableDeep<T>(value: T): T {
  if (typeof value === 'string') {
    return storable(value) as T;
  }
  if (Array.isArray(value)) {
    return value.map(storableDeep) as T;
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => [name, storableDeep(member)]),
    ) as T;
  }
  return value;
}

function cut(text: string | undefined, limit: number): string | undefined {
  return text === undefined ? undefined : storable(text.slice(0, limit));
}

/** Pages make links of addresses: one that a browser would run (`javascript:`) is none. */
function webAddress(address: string | undefined): string | undefined {
  return address !== undefined && /^https?:\/\//i.test(address)
    ? cut(address, TEXT_LIMITS.url)
    : undefined;
}

/**
 * The name under which the lake keeps a service: an entity ref of a component and
 * its plain name are the same one. `component:default/x` is `x`,
 * `component:shop/x` is `shop/x`.
 */
function serviceName(reported: string): string {
  const ref = /^component:(?:default\/)?(.+)$/i.exec(reported.trim());
  return ref ? ref[1] : reported.trim();
}

/** dev, staging or prod where configuration knows the name, else the name in lower case. */
function environmentName(
  reported: string,
  environments: DeliveryLakeConfig['environments'],
): string {
  const name = reported.trim().toLocaleLowerCase('en-US');
  return environments.get(name) ?? name;
}

/**
 * Brings an event into the form that is kept, wherever it came from: one name for
 * one service, known environments, SHAs in lower case, texts that a database
 * keeps, addresses of web pages alone. Texts that nothing is found by are cut to
 * their limit.
 */
export function normalizeEvent(
  reported: LakeEvent,
  options: Pick<DeliveryLakeConfig, 'environments'>,
): LakeEvent {
  const event = storableDeep(reported);
  const url = webAddress(event.url);
  if (event.kind === 'change') {
    return {
      ...event,
      url,
      sha: event.sha.toLowerCase(),
      message: cut(event.message, TEXT_LIMITS.message),
      author: cut(event.author, TEXT_LIMITS.author),
    };
  }
  const common = {
    url,
    service:
      event.service === undefined ? undefined : serviceName(event.service),
    environment:
      event.environment === undefined
        ? undefined
        : environmentName(event.environment, options.environments),
  };
  if (event.kind === 'incident') {
    const link = event.deployment;
    return {
      ...event,
      ...common,
      title: cut(event.title, TEXT_LIMITS.title),
      severity: cut(event.severity, TEXT_LIMITS.severity),
      deployment: link && { ...link, sha: link.sha?.toLowerCase() },
    };
  }
  return {
    ...event,
    ...common,
    version: cut(event.version, TEXT_LIMITS.version),
    triggeredBy: cut(event.triggeredBy, TEXT_LIMITS.triggeredBy),
    commit: event.commit && {
      ...event.commit,
      sha: event.commit.sha.toLowerCase(),
      message: cut(event.commit.message, TEXT_LIMITS.message),
      author: cut(event.commit.author, TEXT_LIMITS.author),
    },
    changes: event.changes?.map(sha => sha.toLowerCase()),
  };
}
