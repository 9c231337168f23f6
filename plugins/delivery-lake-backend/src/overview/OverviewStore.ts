import { LakeService } from '../scope/LakeService';

/** A sender, when it was last heard of (in milliseconds) and how much it sent. */
export interface StoredSource {
  source: string;
  lastEventAt: number;
  events: number;
}

/** What a service that nobody claims has to show. */
export interface ServiceActivity {
  deployments: number;
  incidents: number;
  /** Milliseconds since the Unix epoch. */
  lastSeenAt: number;
  /** Senders of its latest records. */
  sources: string[];
}

/** An incident that concerns no known service. Times in milliseconds. */
export interface StrayIncident {
  id: string;
  title: string;
  startedAt: number;
  source: string;
}

/** A delivery that became no event. Times in milliseconds. */
export interface UnusedDelivery {
  id: string;
  channel: string;
  type: string;
  receivedAt: number;
  outcome: 'ignored' | 'rejected';
  reason: string;
}

/** How many records the lake holds. */
export interface LakeSize {
  deployments: number;
  changes: number;
  incidents: number;
}

/** Reads what the lake as a whole holds. */
export interface OverviewStore {
  size(): Promise<LakeSize>;
  /** Those heard of last first. */
  sources(): Promise<StoredSource[]>;
  /** Services without a component, those seen last first. */
  unclaimedServices(limit: number): Promise<LakeService[]>;
  countUnclaimedServices(): Promise<number>;
  activityOf(serviceId: number): Promise<ServiceActivity>;
  /** Newest first. */
  strayIncidents(
    limit: number,
  ): Promise<{ incidents: StrayIncident[]; total: number }>;
  /** Counted deployments whose commit no change tells of. */
  countDeploymentsWithoutChange(): Promise<number>;
  /** Newest first. */
  unusedDeliveries(limit: number): Promise<UnusedDelivery[]>;
}
