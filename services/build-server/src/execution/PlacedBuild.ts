import type { Artifacts } from '../artifacts/Artifacts.ts';
import type { StartedBuild } from '../builds/Build.ts';
import type { JobRules } from '../jobs/checkJob.ts';
import type { Job } from '../jobs/Job.ts';
import type { PlannedStep } from '../jobs/planSteps.ts';
import type { BuildLog } from '../logs/BuildLogs.ts';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import type { LocalPlace } from './local/LocalExecutor.ts';
import type { Progress } from './Progress.ts';

/** How repositories are read. */
export interface GitOptions {
  protocols: readonly string[];
  caFile?: string;
}

/** A build in the place where it runs. */
export interface PlacedBuild {
  build: StartedBuild;
  job: Job;
  plan: readonly PlannedStep[];
  place: LocalPlace;
  log: BuildLog;
  secrets: StepSecrets;
  progress: Progress;
  git: GitOptions;
  artifacts: Artifacts;
  /** What the pipelines of a commit are held to. */
  rules: Omit<JobRules, 'repositoryOf'>;
}
