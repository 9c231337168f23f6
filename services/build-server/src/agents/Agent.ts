import { createHash, randomBytes } from 'node:crypto';
import type { Claim, StartedBuild } from '../builds/Build.ts';
import type { ExecutorsStatus } from '../execution/Executor.ts';
import type { GitOptions } from '../execution/PlacedBuild.ts';
import { type Job, offeredLabels } from '../jobs/Job.ts';
import type { StepSecret } from '../secrets/StepSecrets.ts';

/** Protocol versions supported by this server. */
export const PROTOCOL = { oldest: 1, newest: 1 } as const;

/** The header that says whether a cache is `exact` or `nearest`. */
export const CACHE_MATCH = 'x-slipway-cache';

/** A program on another machine that runs builds. Times are milliseconds since the Unix epoch. */
export interface Agent {
  id: string;
  name: string;
  /** Assigned at enrolment; labels reported by the agent itself are not used for scheduling. */
  labels: string[];
  /** A draining agent finishes its builds and receives no new ones. */
  state: 'active' | 'draining';
  /** Builds at a time. */
  capacity: number;
  session: string | null;
  version: string | null;
  /** Isolation of its builds. */
  executor: ExecutorsStatus | null;
  seenAt: number | null;
  createdAt: number;
  createdBy: string;
}

/**
 * A one-time token that enrols an agent, without its value. Times are milliseconds since the Unix
 * epoch.
 */
export interface Invitation {
  /** The labels that the agent will have. */
  labels: string[];
  createdAt: number;
  createdBy: string;
  expiresAt: number;
}

/** A build for an agent, with everything needed to run it. */
export interface Order {
  build: StartedBuild;
  job: Job;
  /** The secrets available to the checkout or a step of this build, by name. */
  secrets: Record<string, StepSecret>;
  git: Pick<GitOptions, 'protocols'>;
  /** The page where people see the build. */
  url: string;
  /** Offset in the log at which the agent's output begins, in bytes. */
  logOffset: number;
  limits: { logBytes: number; artifactBytes: number };
}

/** Agents renew their leases every second; an agent silent for this long is considered disconnected. */
const SILENT_MS = 30_000;

export function isConnected({ seenAt }: Agent, now: number): boolean {
  return seenAt !== null && now - seenAt < SILENT_MS;
}

/** Creates a token for an agent or for enrolment; servers store only its digest. */
export function makeToken(kind: 'agent' | 'enrol'): string {
  return `slipway_${kind}_${randomBytes(32).toString('base64url')}`;
}

export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Identifies one session of an agent among all processes that run builds. */
export function workerOf(agent: string, session: string): string {
  return `agent.${agent}.${session}`;
}

/** Returns the id of the agent that owns a build; undefined for a process of the server. */
export function agentOf(worker: string | null): string | undefined {
  const [kind, id] = (worker ?? '').split('.');
  return kind === 'agent' ? id : undefined;
}

/** Returns the labels of an agent: those given at its enrolment and its capabilities. */
export function labelsOf({
  labels,
  executor,
}: Pick<Agent, 'labels' | 'executor'>): Set<string> {
  const { kind, containers } = executor ?? {};
  const runsImages =
    kind === 'containers' ||
    kind === 'kubernetes' ||
    (containers && containers.fault === null);
  return offeredLabels(labels, { runsImages: runsImages ?? false });
}

/** The build that an agent's request refers to, and the session and attempt that claimed it. */
export interface Held {
  agent: Agent;
  session: string;
  id: number;
  attempt: number;
}

export function claimOf({ agent, session, id, attempt }: Held): Claim {
  return { id, attempt, worker: workerOf(agent.id, session) };
}
