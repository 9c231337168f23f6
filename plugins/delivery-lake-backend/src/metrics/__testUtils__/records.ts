import {
  FailureCause,
  ReworkCause,
} from '@slipway/plugin-delivery-lake-common';

/** A duration in milliseconds, and when it ended. */
interface RecordedDuration {
  endedAt: number;
  duration: number;
}

/** A counted production deployment with all that was derived of it. */
export interface RecordedDeployment {
  finishedAt: number;
  failure?: FailureCause;
  rework?: ReworkCause;
  /** Lead times of the changes it brought; null: the times make no sense. */
  leadTimes?: (number | null)[];
  recovery?: RecordedDuration;
}

/** A service with everything that happened to it. */
export interface RecordedService {
  name: string;
  entityRef?: string;
  team?: string;
  project?: string;
  deployments?: RecordedDeployment[];
  outages?: RecordedDuration[];
}
