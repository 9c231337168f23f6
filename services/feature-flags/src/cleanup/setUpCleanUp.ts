import type { CommonConfig, ServiceKit } from '@slipway/service-kit';
import type { FeatureFlagsConfig } from '../config.ts';
import type { FlagAdmin } from '../flags/FlagAdmin.ts';
import type { Environments, Projects } from '../registers/registers.ts';
import { CodeReferenceStore } from '../storage/CodeReferenceStore.ts';
import { FlagIssueStore } from '../storage/FlagIssueStore.ts';
import { History } from '../storage/History.ts';
import { UsageStore } from '../storage/UsageStore.ts';
import type { FlagAccess } from '../tokens/access.ts';
import { CleanUp } from './CleanUp.ts';
import { FeedbackTracker } from './FeedbackTracker.ts';
import { cleanUpRoutes } from './routes.ts';

/** Adds the routes that help to remove flags. */
export function setUpCleanUp(
  {
    app,
    config,
    database,
    portal,
    now,
  }: ServiceKit<FeatureFlagsConfig & CommonConfig>,
  parts: {
    flags: FlagAdmin;
    environments: Environments;
    projects: Projects;
    isFlag: (name: string) => boolean;
    access: FlagAccess;
  },
): void {
  const { flags, environments, projects, isFlag, access } = parts;
  const references = new CodeReferenceStore(database);
  const cleanUp = new CleanUp({
    flags,
    environments,
    projects,
    usage: new UsageStore(database),
    history: new History(database),
    references,
    issues: new FlagIssueStore(database),
    tracker: config.feedback && new FeedbackTracker(config.feedback),
    appUrl: portal.appUrl,
    now,
  });
  cleanUpRoutes(app, { cleanUp, references, isFlag, access, now });
}
