import {
  createOrganisation,
  type Organisation,
} from '../organisation/organisation';
import { type Scenes, scenesOf, tellDeliveries } from './deliveries';
import type { ServiceHistory } from './ServiceHistory';
import { type StoryTime, storyTimeAt } from './time';

/** Half a year of the demo organisation. */
export interface Story {
  readonly organisation: Organisation;
  readonly time: StoryTime;
  readonly scenes: Scenes;
  readonly histories: readonly ServiceHistory[];
  readonly seed: string;
  /** Entity references of catalog users who join the team Checkout. */
  readonly guests: readonly string[];
  readonly showcase: Showcase | undefined;
}

/** An existing repository with a devfile for workspaces of the Checkout API. */
export interface Showcase {
  /** URL of a devfile with a Git project. */
  readonly devfileUrl: string;
  /** The commit of that project used for the story's broken release. */
  readonly commit: string;
}

/** Creates the story that ends on the day before a given time. The same seed and day give the same story. */
export function tellStory(options: {
  now: number;
  seed?: string;
  guests?: readonly string[];
  showcase?: Showcase;
}): Story {
  const { now, seed = 'slipway', guests = [], showcase } = options;
  const organisation = createOrganisation();
  const time = storyTimeAt(now);
  return {
    organisation,
    time,
    seed,
    guests,
    scenes: scenesOf(time),
    showcase,
    histories: tellDeliveries(organisation, {
      seed,
      time,
      brokenCommit: showcase?.commit,
    }),
  };
}
