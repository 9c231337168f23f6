import { NAMESPACE } from '../organisation/organisation';
import { diceOf } from '../story/random';
import type { Story } from '../story/Story';
import { DAY_MS, HOUR_MS, iso } from '../story/time';
import { type DemoPart, inBatches } from './DemoPart';
import { wishesOf } from './wishes';

const SERVICE = 'feedback';
const BATCH = 500;
/** Entries per ordinary day, on average. */
const A_DAY = 0.8;

/** Feedback from colleagues and customers about the demo's services. */
export const feedbackPart: DemoPart = {
  id: 'feedback',
  title: 'Feedback',
  writes:
    'feedback of 180 days about these components, and wishes with votes of these people',

  async load({ platform, story, onProgress }) {
    await inBatches([...recordsOf(story), ...wishesOf(story)], BATCH, {
      send: feedback =>
        platform.service(SERVICE, {
          method: 'POST',
          path: '/api/v1/feedback/imports',
          body: { feedback },
        }),
      onProgress,
    });
  },

  async remove({ platform, onProgress }) {
    await platform.service(SERVICE, {
      method: 'DELETE',
      path: `/api/v1/namespaces/${NAMESPACE}`,
    });
    onProgress(1, 1);
  },
};

type Words = readonly [rating: number, category: string, message: string];

const ORDINARY: readonly Words[] = [
  [5, 'UI/UX', 'The new order overview is great, I find everything at once'],
  [4, 'Documentation', 'The guide for new services helped me a lot'],
  [4, 'UI/UX', 'Nice filters. Remembering the last one would be even better'],
  [3, 'CI/CD', 'Builds are fine, but the queue is long on Monday mornings'],
  [2, 'Performance', 'Search takes ages for two-letter words'],
  [2, 'CI/CD', 'The build failed and the log does not say why'],
  [3, 'Other', 'Please let me export the list of carriers'],
  [5, 'CI/CD', 'Deployments of our team take minutes now, thank you'],
  [1, 'UI/UX', 'The page jumped while I typed an address, and it was lost'],
  [4, 'Performance', 'Reports load much faster than last month'],
];
const STRUGGLING: readonly Words[] = [
  [1, 'Performance', 'Pick lists time out every other morning'],
  [2, 'Other', 'The wrong carrier is printed on labels again'],
  [1, 'CI/CD', 'Nobody can tell when the fix for returns is released'],
];
const IMPROVED: readonly Words[] = [
  [5, 'Performance', 'Invoices appear at once now'],
  [5, 'Other', 'The refund bug was fixed within the hour, impressive'],
  [4, 'UI/UX', 'The payout page finally shows what is missing'],
];
const BAD_DAY: readonly Words[] = [
  [1, 'Performance', 'Product pages take forever to load'],
  [1, 'Performance', 'I gave up, the page of the lantern never opened'],
  [2, 'Performance', 'Pictures appear after ten seconds. Is it broken?'],
  [1, 'Other', 'Could not order anything this noon'],
  [1, 'UI/UX', 'The new product page is terribly slow'],
];
const SAVED: readonly Words[] = [
  [2, 'Other', 'My gift card was refused, but it worked after a reload'],
];

/** Returns all feedback. */
function recordsOf({ organisation, time, scenes, seed }: Story): object[] {
  const component = (name: string) => `component:${NAMESPACE}/${name}`;
  const records: object[] = [];
  const dice = diceOf(seed, 'feedback');
  const say = (
    [rating, category, message]: Words,
    { about, at }: { about: string; at: number },
  ) => {
    const author = dice.pick(organisation.people);
    const age = (time.end - at) / DAY_MS;
    const isAnswered = age > 3 && dice.roll() < 0.8;
    const answeredAt = Math.min(
      time.end - HOUR_MS,
      at + dice.around(2.5) * DAY_MS,
    );
    records.push({
      key: `${NAMESPACE}-${records.length + 1}`,
      created_at: iso(at),
      rating,
      category,
      message,
      component: component(about),
      ...(dice.roll() < 0.8 && {
        author: author.ref,
        author_name: author.displayName,
      }),
      ...(isAnswered && {
        status: dice.roll() < 0.75 ? 'resolved' : 'archived',
        status_at: iso(answeredAt),
      }),
    });
  };
  for (let day = time.start; day < time.end; day += DAY_MS) {
    const part = (day - time.start) / (time.end - time.start);
    const at = () => day + (8 + dice.roll() * 10) * HOUR_MS;
    for (let count = dice.count(A_DAY); count > 0; count -= 1) {
      say(dice.pick(ORDINARY), {
        about: dice.pick(organisation.services).name,
        at: at(),
      });
    }
    if (dice.roll() < 0.18 * part) {
      say(dice.pick(STRUGGLING), { about: 'warehouse-api', at: at() });
    }
    if (dice.roll() < 0.14 * part) {
      say(dice.pick(IMPROVED), { about: 'billing-api', at: at() });
    }
    if (day === scenes.bad) {
      BAD_DAY.forEach((words, index) =>
        say(words, {
          about: 'storefront-web',
          at: day + (11.6 + index * 0.5) * HOUR_MS,
        }),
      );
    }
    if (day === scenes.saved) {
      SAVED.forEach(words =>
        say(words, { about: 'checkout-api', at: day + 14.4 * HOUR_MS }),
      );
    }
  }
  return records;
}
