import type { Period } from '../periods/Period.ts';
import type { Releases } from '../privacy/Releases.ts';
import {
  subjectOfCategory,
  type FrictionStore,
  type FrictionSum,
  type FrictionText,
} from './FrictionStore.ts';

const TEXTS = 20;

/** A category that may be shown, summed over the days that may be. */
export interface TopFrictionItem extends FrictionSum {
  readonly category: string;
  /** The costliest twenty at most. */
  readonly texts: readonly FrictionText[];
}

/** What costs a team most. */
export interface TopFrictionList {
  /** By time lost, then by how many reported it. */
  readonly items: readonly TopFrictionItem[];
  /** Of too few people to be shown, not even by name: a category is free text. */
  readonly withheld: { readonly categories: number; readonly entries: number };
}

/** Ranks friction by category, of groups that are large enough. */
export class TopFriction {
  readonly #store: FrictionStore;
  readonly #releases: Releases;

  constructor(options: { store: FrictionStore; releases: Releases }) {
    this.#store = options.store;
    this.#releases = options.releases;
  }

  async list(options: {
    team: string;
    period: Period;
    limit: number;
  }): Promise<TopFrictionList> {
    const { team, period, limit } = options;
    const categories = await this.#store.categories({ team, period });
    const sums = await Promise.all(
      categories.map(async ({ category, entries }) => {
        const [days] = await this.#releases.within(
          subjectOfCategory(category),
          { team, periods: [period] },
        );
        const sum = await this.#store.sum(category, days);
        return { category, days, sum, hidden: entries - sum.entries };
      }),
    );
    const shown = sums
      .filter(({ sum }) => sum.entries > 0)
      .sort(
        (a, b) =>
          b.sum.timeLostMinutes - a.sum.timeLostMinutes ||
          b.sum.reporters - a.sum.reporters,
      )
      .slice(0, limit);
    const items = await Promise.all(
      shown.map(async ({ category, days, sum }) => ({
        category,
        ...sum,
        texts: await this.#store.texts(category, { days, limit: TEXTS }),
      })),
    );
    return {
      items,
      withheld: {
        categories: sums.filter(({ sum }) => sum.entries === 0).length,
        entries: sums.reduce((total, { hidden }) => total + hidden, 0),
      },
    };
  }
}
