import { ConfigurationError } from '@slipway/service-kit';
import type { FeedbackConfig } from '../config.ts';
import { EmbeddedTracker } from '../issues/EmbeddedTracker.ts';
import type { IssueStore } from '../issues/IssueStore.ts';
import { GitHubTracker } from './github/GitHubTracker.ts';
import type { Tracker } from './Tracker.ts';

/**
 * The tracker of the configuration; a new kind joins here.
 *
 * @param options.publicUrl - of the service.
 * @throws ConfigurationError when the chosen one is not configured.
 */
export function openTracker(
  config: FeedbackConfig['tracker'],
  options: { issues: IssueStore; publicUrl: string },
): Tracker {
  if (config.kind === 'embedded') {
    return new EmbeddedTracker(options);
  }
  if (!config.github) {
    throw new ConfigurationError([
      'feedback.tracker.github is required where feedback.tracker.kind is github',
    ]);
  }
  return new GitHubTracker(config.github);
}
