import { createHash } from 'node:crypto';
import { DeploymentStatus } from '@slipway/plugin-delivery-lake-common';

/** Maximum length of each text of an event, in characters. Keys have to fit in a database index. */
export const TEXT_LIMITS = {
  source: 128,
  externalId: 255,
  service: 255,
  repository: 255,
  environment: 64,
  version: 255,
  triggeredBy: 255,
  author: 255,
  message: 10_000,
  title: 1_000,
  severity: 64,
  url: 2_048,
} as const;

/** The maximum number of changes that a deployment can list. */
export const MAX_LISTED_CHANGES = 10_000;

/** The maximum number of items in a request. */
export const MAX_BATCH = 1_000;

/** A commit hash in hexadecimal, abbreviated or full, SHA-1 or SHA-256. */
export const SHA_PATTERN = /^[0-9a-f]{7,64}$/i;

/** The kinds of records in the lake. */
export type RecordKind = 'deployment' | 'change' | 'incident';

/**
 * The data of one event about one record, in the lake's model. An undefined field leaves
 * the record unchanged; null clears it. All times are milliseconds since the Unix epoch.
 */
interface EventBase {
  /** The system that reports: `jenkins`, `github`, `pagerduty`, … */
  source: string;
  /** The sender's key of the record, unique within kind and source. */
  externalId: string;
  /**
   * The time of the event according to the sender. If two events set the same field, the later one
   * wins.
   */
  occurredAt: number;
  /** true: a tombstone, which deletes the record. */
  deleted?: boolean;
}

/** A commit as reported with a deployment or a push. */
export interface CommitFields {
  sha: string;
  message?: string;
  author?: string;
  committedAt?: number;
}

/** An event about a deployment. Start and finish may arrive as two events. */
export interface DeploymentEvent extends EventBase {
  kind: 'deployment';
  /** The service as reported, a name or an entity ref. Default: the repository. */
  service?: string;
  /** dev, staging or prod, or any other reported name in lower case. */
  environment?: string;
  status?: DeploymentStatus;
  startedAt?: number;
  finishedAt?: number;
  version?: string;
  triggeredBy?: string;
  /** `owner/name` or another stable name of the repository that contains `commit`. */
  repository?: string;
  commit?: CommitFields;
  /** SHAs of the changes it delivered, if the pipeline knows them. */
  changes?: string[];
  /** The external id of the deployment that it rolled back, or true for the previous one. */
  rollbackOf?: string | true;
  /** True if it was deployed to repair production. */
  unplanned?: boolean;
  url?: string;
}

/** A commit on the deployed branch. Repository and SHA identify it, whichever sender reports it. */
export interface ChangeEvent extends EventBase {
  kind: 'change';
  repository: string;
  sha: string;
  message?: string;
  author?: string;
  /** The moment at which the lead time starts. */
  committedAt?: number;
  /** Time at which it reached the deployed branch. Default: `committedAt`. */
  landedAt?: number;
  /** Position among changes that landed at the same moment, from 0. */
  sequence?: number;
  url?: string;
}

/** Identifies the deployment that caused an incident by its key, its lake id or its commit. */
export interface DeploymentLink {
  source?: string;
  externalId?: string;
  /** `deploy-…`. */
  id?: string;
  sha?: string;
  /** true: the id only identifies a deployment of the incident's own component. */
  isOwn?: boolean;
}

/** The form of the lake's ids; other systems have ids that also begin with `deploy-`. */
const LAKE_ID = /^deploy-[0-9a-f-]{36}$/;

/**
 * Links to a deployment by an id of the lake or, if it has another form, by the id of a sender.
 *
 * @param source - the sender.
 */
export function linkById(id: string, source: string): DeploymentLink {
  return LAKE_ID.test(id) ? { id } : { source, externalId: id };
}

/** An event about an incident. Its end may arrive as a second event. */
export interface IncidentEvent extends EventBase {
  kind: 'incident';
  service?: string;
  environment?: string;
  title?: string;
  severity?: string;
  startedAt?: number;
  /** null: reopened. */
  resolvedAt?: number | null;
  /** The deployment that caused it; null removes an earlier link. */
  deployment?: DeploymentLink | null;
  url?: string;
}

/** An event in the lake's model, to which deliveries of every sender are mapped. */
export type LakeEvent = DeploymentEvent | ChangeEvent | IncidentEvent;

/** A change, folded from all its events. Times are in milliseconds. */
export interface ChangeRecord {
  repository: string;
  sha: string;
  message: string;
  author: string;
  /** null if unknown; the change then has no lead time. */
  committedAt: number | null;
  /** Its position on its branch; see `changePosition`. */
  position: number;
  url: string | null;
  /** The time of the latest event. */
  revision: number;
}

/** A deployment, folded from all its events. Times are in milliseconds. */
export interface DeploymentRecord {
  source: string;
  externalId: string;
  service: string;
  environment: string;
  status: DeploymentStatus;
  startedAt: number;
  /** null while it runs. */
  finishedAt: number | null;
  version: string;
  triggeredBy: string;
  /** null if no event names a commit. */
  repository: string | null;
  commit: { sha: string; message: string; author: string } | null;
  /** Sorted; empty if it lists none. */
  changes: string[];
  /** External id; '' means the previous deployment. */
  rollbackOf: string | null;
  unplanned: boolean;
  url: string | null;
  /** The time of the latest event. */
  revision: number;
  /** True if it reached production. */
  counted: boolean;
}

/** An incident, folded from all its events. Times are in milliseconds. */
export interface IncidentRecord {
  source: string;
  externalId: string;
  /** null if no event names one; the service of the linked deployment is then used. */
  service: string | null;
  environment: string;
  title: string;
  severity: string | null;
  startedAt: number;
  /** null while it is open. */
  resolvedAt: number | null;
  link: DeploymentLink | null;
  url: string | null;
  /** The time of the latest event. */
  revision: number;
}

/** One item of a batch: an event, or the reason why it is invalid. */
export type IngestItem =
  { event: LakeEvent } | { error: string; field?: string };

/** Returns the record key of a deployment or an incident. */
export function senderKey(source: string, externalId: string): string {
  return JSON.stringify([source, externalId]);
}

/** Returns the record key of a change, which is the same for every sender. */
export function changeKey(repository: string, sha: string): string {
  return JSON.stringify([repository, sha]);
}

/** Parses a {@link senderKey} or {@link changeKey} into its two parts. */
export function keyParts(key: string): [string, string] {
  return JSON.parse(key);
}

/** Returns the key of the record that an event is about. */
export function recordKey(event: LakeEvent): string {
  return event.kind === 'change'
    ? changeKey(event.repository, event.sha)
    : senderKey(event.source, event.externalId);
}

/** Removes NUL and replaces unpaired surrogates, which PostgreSQL cannot store. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, member]) => [name, sorted(member)]),
    );
  }
  return value;
}

/**
 * Serializes a value to JSON with sorted keys and without undefined values, so that equal values
 * give equal text.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** An event with its canonical text and the hash that identifies it. */
export interface DigestedEvent<E extends LakeEvent = LakeEvent> {
  event: E;
  /** The event in canonical form. */
  body: string;
  /** SHA-256 of `body` in hexadecimal, which deduplicates events. */
  digest: string;
}

/** Hashes an event. */
export function digestEvent<E extends LakeEvent>(event: E): DigestedEvent<E> {
  const body = canonicalJson(event);
  return {
    event,
    body,
    digest: createHash('sha256').update(body).digest('hex'),
  };
}

/** Identifies a record of any kind. */
export interface RecordName {
  kind: RecordKind;
  key: string;
}

/** Returns a {@link RecordName} as the key of a map. */
export function mapKey({ kind, key }: RecordName): string {
  return `${kind} ${key}`;
}
