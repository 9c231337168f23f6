/**
 * The common fields of events in the documented JSON format, with times in ISO 8601. Deliberately
 * defined again here: the oracle shares no code with the lake that it checks.
 */
interface RawEventBase {
  source: string;
  occurredAt: string;
  deleted?: boolean;
}

/** An item of `POST /deployments`; `source` and `id` identify the deployment. */
export interface RawDeployment extends RawEventBase {
  kind: 'deployment';
  id: string;
  service?: string;
  environment?: string;
  status?: string;
  startedAt?: string;
  finishedAt?: string;
  version?: string;
  triggeredBy?: string;
  repository?: string;
  commit?: { sha: string; committedAt?: string };
  changes?: string[];
  rollbackOf?: string | true;
  unplanned?: boolean;
}

/**
 * An item of `POST /changes`; `repository` and `sha` identify the change, regardless of the
 * sender.
 */
export interface RawChange extends RawEventBase {
  kind: 'change';
  repository: string;
  sha: string;
  committedAt?: string;
  landedAt?: string;
  sequence?: number;
}

/** An item of `POST /incidents`; null clears an earlier end or link. */
export interface RawIncident extends RawEventBase {
  kind: 'incident';
  id: string;
  service?: string;
  environment?: string;
  title?: string;
  startedAt?: string;
  resolvedAt?: string | null;
  deployment?: { source: string; id: string } | null;
}

export type RawEvent = RawDeployment | RawChange | RawIncident;
