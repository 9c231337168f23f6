import type { Feedback } from '../feedback/Feedback.ts';
import type { TrackedIssue } from './Tracker.ts';

/** The webhook `feedback.tracker_issue_created`, as the contract has it. */
export function issueCreatedEvent(
  feedback: Feedback,
  options: { issue: TrackedIssue; now: number },
): { name: string; payload: object } {
  const { id, rating, category, message } = feedback;
  const { number, url, title } = options.issue;
  const name = 'feedback.tracker_issue_created';
  return {
    name,
    payload: {
      event: name,
      timestamp: new Date(options.now).toISOString(),
      feedback: { id, rating, category, message },
      tracker_issue: { number, url, title },
    },
  };
}
