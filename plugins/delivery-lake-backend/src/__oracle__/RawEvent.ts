/**
 * Events as senders post them: the same words as the documented JSON, times as
 * ISO 8601. Written down here again on purpose: the oracle shares nothing with
 * what it judges.
 */
interface RawEventBase {
  source: string;
  occurredAt: string;
  deleted?: boolean;
}

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

export interface RawChange extends RawEventBase {
  kind: 'change';
  repository: string;
  sha: string;
  committedAt?: string;
  landedAt?: string;
  sequence?: number;
}

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
