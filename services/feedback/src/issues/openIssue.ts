import { UnavailableError } from '@slipway/service-kit';
import type {
  IssueDraft,
  TrackedIssue,
  Tracker,
} from '../automation/Tracker.ts';

/** Period in which an issue with the same marker is searched. */
const SEARCHED_MS = 365 * 86_400_000;

/**
 * Opens an issue, unless one with its marker exists.
 *
 * @throws UnavailableError if the tracker fails; repeating the request creates no second issue once
 * the first one is visible.
 */
export async function openIssue(
  tracker: Tracker,
  draft: IssueDraft,
  now: number,
): Promise<{ issue: TrackedIssue; isNew: boolean }> {
  try {
    const since = now - SEARCHED_MS;
    const found = await tracker.find(draft.marker, { since });
    return found
      ? { issue: found, isNew: false }
      : { issue: await tracker.create(draft), isNew: true };
  } catch (error) {
    throw new UnavailableError('The tracker is not responding', {
      cause: error,
    });
  }
}
