import {
  FailureCause,
  ReworkCause,
} from '@slipway/plugin-delivery-lake-common';

/** A duration in milliseconds, with the time at which it ended. */
interface RecordedDuration {
  endedAt: number;
  duration: number;
}

/** A counted production deployment with everything that was derived for it. */
export interface RecordedDeployment {
  finishedAt: number;
  failure?: FailureCause;
  rework?: ReworkCause;
  /** Lead times of the changes it delivered; null if the times are inconsistent. */
  leadTimes?: (number | null)[];
  recovery?: RecordedDuration;
}

/** A service with all its records. */
export interface RecordedService {
  name: string;
  entityRef?: string;
  team?: string;
  project?: string;
  deployments?: RecordedDeployment[];
  outages?: RecordedDuration[];
}
