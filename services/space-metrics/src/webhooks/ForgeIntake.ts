import type { Forge } from '@slipway/platform-guards';
import type { ActivityEvent } from '../activity/ActivityEvent.ts';
import type { DatabaseActivityStore } from '../activity/storage/DatabaseActivityStore.ts';
import type { PersonHasher } from '../people/person.ts';
import type { CatalogPeopleDirectory } from '../people/CatalogPeopleDirectory.ts';
import { NO_TEAM } from '../people/team.ts';
import { localDayOf } from '../periods/LocalDay.ts';
import {
  type DeliveryReader,
  type ForgeActivity,
  type ForgeDelivery,
  isBot,
} from './ForgeActivity.ts';
import { readGiteaDelivery, readGithubDelivery } from './githubDelivery.ts';
import { readGitlabDelivery } from './gitlabDelivery.ts';

const readers: Readonly<Record<Forge, DeliveryReader>> = {
  github: readGithubDelivery,
  gitlab: readGitlabDelivery,
  gitea: readGiteaDelivery,
  forgejo: readGiteaDelivery,
};

/** The numbers of activities of a delivery that were counted or not. */
export interface DeliveryReceipt {
  accepted: number;
  duplicates: number;
  /** The number of activities by bots. */
  ignored: number;
}

interface ForgeIntakeOptions {
  store: Pick<DatabaseActivityStore, 'add'>;
  directory: CatalogPeopleDirectory;
  hasher: PersonHasher;
  /** Additional logins and addresses of bots. */
  bots: readonly string[];
  timeZone: string;
  now: () => Date;
}

/** Converts forge deliveries to activities of people, and stores them. */
export class ForgeIntake {
  readonly #options: ForgeIntakeOptions;

  constructor(options: ForgeIntakeOptions) {
    this.#options = options;
  }

  /**
   * Stores the activities of a delivery.
   *
   * @throws InvalidRequestError if the payload does not match its event.
   */
  async add(forge: Forge, delivery: ForgeDelivery): Promise<DeliveryReceipt> {
    const activities = readers[forge](delivery);
    const human = activities.filter(
      ({ author }) => !isBot(author, { bots: this.#options.bots }),
    );
    const events = await Promise.all(
      human.map(activity => this.#eventOf(forge, activity)),
    );
    const isNew =
      events.length > 0 ? await this.#options.store.add(events) : [];
    const accepted = isNew.filter(Boolean).length;
    return {
      accepted,
      duplicates: events.length - accepted,
      ignored: activities.length - human.length,
    };
  }

  async #eventOf(
    forge: Forge,
    activity: ForgeActivity,
  ): Promise<ActivityEvent> {
    const { login, email } = activity.author;
    const known = await this.#options.directory.findByAlias({
      forge,
      login,
      email,
    });
    const userId = known?.userRef ?? login ?? email;
    const occurredAt = this.#timeOf(activity);
    return {
      source: forge,
      // Ids contain names of repositories, including personal ones, and of reviewers.
      id: this.#options.hasher.hashText(activity.id),
      kind: activity.kind,
      ...(userId && { personHash: this.#options.hasher.hash(userId) }),
      team: known?.team ?? NO_TEAM,
      occurredAt,
      day: localDayOf(occurredAt, this.#options.timeZone),
      amount: 1,
      // Anyone who pushes a commit can put any name on it: unknown people do not count towards a
      // group.
      people: known ? 1 : 0,
    };
  }

  /** Returns the time of an activity, at most now, as the clocks of committers are unreliable. */
  #timeOf({ at }: ForgeActivity): number {
    const now = this.#options.now().getTime();
    const time = at === undefined ? Number.NaN : Date.parse(at);
    return time >= Date.UTC(2000, 0, 1) ? Math.min(time, now) : now;
  }
}
