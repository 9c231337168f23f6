import { NAMESPACE } from '../organisation/organisation';
import { diceOf } from '../story/random';
import type { Story } from '../story/Story';
import { DAY_MS, HOUR_MS, iso } from '../story/time';

/** A person's wish, which an admin has opened for voting under a title. */
interface Wish {
  readonly key: string;
  readonly rating: number;
  readonly category: string;
  readonly message: string;
  readonly title: string;
  /** The name of the service that it is about. */
  readonly about: string;
  /** The number of days between sending it and the end of the story. */
  readonly age: number;
  readonly votes: number;
  /** A public note, written when the status changed. */
  readonly note?: string;
  /** The new status, and how many days before the end of the story it changed. */
  readonly became?: readonly ['in_progress' | 'resolved', age: number];
  /** The key of the wish that it was merged into, and how many days before the end of the story. */
  readonly merged?: readonly [into: string, age: number];
}

const WISHES: readonly Wish[] = [
  {
    key: 'undo-release',
    rating: 2,
    category: 'CI/CD',
    message:
      'It took us three hours to roll the product page back. Why is there no button for that?',
    title: 'Roll back a release with one click',
    about: 'storefront-web',
    age: 32,
    votes: 27,
    became: ['in_progress', 9],
    note: 'We are building this into the page of a release. The storefront gets it first.',
  },
  {
    key: 'previous-version',
    rating: 3,
    category: 'CI/CD',
    message: 'I would like to deploy the previous version without a new build',
    title: 'Deploy the previous version again',
    about: 'checkout-api',
    age: 11,
    votes: 6,
    merged: ['undo-release', 8],
  },
  {
    key: 'carriers',
    rating: 3,
    category: 'Other',
    message: 'Every Monday I copy the list of carriers by hand into a sheet',
    title: 'Export the list of carriers',
    about: 'warehouse-api',
    age: 75,
    votes: 14,
  },
  {
    key: 'filters',
    rating: 4,
    category: 'UI/UX',
    message: 'Nice filters. Remembering the last one would be even better',
    title: 'Remember the filters of the order overview',
    about: 'storefront-web',
    age: 40,
    votes: 5,
  },
  {
    key: 'invoices',
    rating: 2,
    category: 'Performance',
    message: 'Customers call us because their invoice comes a day late',
    title: 'Send invoices at once',
    about: 'billing-api',
    age: 120,
    votes: 19,
    became: ['resolved', 55],
  },
];

/** Returns wishes that people vote for, as records to import. */
export function wishesOf({ organisation, time, seed }: Story): object[] {
  const morningOf = (age: number) => time.end - age * DAY_MS + 9 * HOUR_MS;
  return WISHES.map(wish => {
    const dice = diceOf(seed, 'wish', wish.key);
    const people = [...organisation.people]
      .map(person => ({ person, place: dice.roll() }))
      .sort((a, b) => a.place - b.place)
      .map(({ person }) => person);
    const [author] = people;
    const openedAt = morningOf(wish.age) + 4 * HOUR_MS;
    // A wish gets no votes after it is resolved or merged into another one.
    const changedAt = morningOf((wish.merged ?? wish.became)?.[1] ?? 0);
    const isEnded =
      wish.merged !== undefined || wish.became?.[0] === 'resolved';
    const end = isEnded ? changedAt : time.end;
    const span = end - openedAt;
    return {
      key: `${NAMESPACE}-wish-${wish.key}`,
      created_at: iso(morningOf(wish.age)),
      rating: wish.rating,
      category: wish.category,
      message: wish.message,
      component: `component:${NAMESPACE}/${wish.about}`,
      author: author.ref,
      author_name: author.displayName,
      voting: {
        title: wish.title,
        opened_at: iso(openedAt),
        ...(wish.note && {
          public_note: {
            text: wish.note,
            written_at: iso(changedAt),
          },
        }),
        votes: people.slice(0, wish.votes).map((person, index) => ({
          user: person.ref,
          // The sender votes first, and most of the others soon after.
          voted_at: iso(openedAt + (index === 0 ? 0 : span * dice.roll() ** 2)),
        })),
      },
      ...(wish.became && {
        status: wish.became[0],
        status_at: iso(changedAt),
      }),
      ...(wish.merged && {
        merged_into: `${NAMESPACE}-wish-${wish.merged[0]}`,
        status_at: iso(changedAt),
      }),
    };
  });
}
