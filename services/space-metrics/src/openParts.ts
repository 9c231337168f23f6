import { ConfigurationError, PortalClient } from '@slipway/service-kit';
import { IANAZone } from 'luxon';
import { DatabaseActivityStore } from './activity/storage/DatabaseActivityStore.ts';
import type { Kit } from './config.ts';
import { DeliveryLake } from './delivery/DeliveryLake.ts';
import type { TopFriction } from './friction/FrictionLog.ts';
import { DatabaseFrictionStore } from './friction/storage/DatabaseFrictionStore.ts';
import { FirstCommitTimes } from './metrics/FirstCommitTimes.ts';
import type { Numbers } from './metrics/Numbers.ts';
import { ReportCache } from './metrics/ReportCache.ts';
import { LiveNumbers } from './metrics/storage/LiveNumbers.ts';
import { Attribution, TeamNames } from './people/Attribution.ts';
import { CatalogPeopleDirectory } from './people/CatalogPeopleDirectory.ts';
import { PersonHasher } from './people/person.ts';
import { localDayOf } from './periods/LocalDay.ts';
import { readTallies } from './records/storage/rollups.ts';
import {
  DatabaseReleases,
  type DatabaseReleasesOptions,
} from './releases/storage/DatabaseReleases.ts';
import { ReleasedFriction } from './releases/storage/ReleasedFriction.ts';
import { ReleasedNumbers } from './releases/storage/ReleasedNumbers.ts';

/** The parts of the service that several routes and jobs share. */
export type Parts = Awaited<ReturnType<typeof openParts>>;

/** The visible data: either everything immediately, or only released data. */
interface Shown {
  readonly numbers: Numbers;
  readonly friction: TopFriction;
}

/**
 * Opens the parts of the service that several routes and jobs share.
 *
 * @throws ConfigurationError for an unknown time zone.
 */
export async function openParts(kit: Kit) {
  const { config, logger } = kit;
  const { timeZone } = config;
  if (!IANAZone.isValidZone(timeZone)) {
    throw new ConfigurationError([
      `spaceMetrics.timeZone must be a zone such as Europe/Berlin, not '${timeZone}'`,
    ]);
  }
  const now = () => new Date(kit.now());
  const today = () => localDayOf(kit.now(), timeZone);
  const cache = new ReportCache({
    maximumAgeMs: config.cacheSeconds * 1_000,
    now: kit.now,
  });
  const database = cache.follow(kit.database);
  const portal = new PortalClient({
    baseUrl: kit.portal.baseUrl,
    token: config.portalToken,
  });
  const directory = new CatalogPeopleDirectory({
    portal,
    cacheSeconds: config.catalog.cacheSeconds,
    timeZone,
    logger,
    now: kit.now,
  });
  const hasher = new PersonHasher({ key: config.privacy.hashKey });
  const activity = new DatabaseActivityStore(database);
  const friction = new DatabaseFrictionStore(database);
  const firstCommits = new FirstCommitTimes({
    store: activity,
    directory,
    hasher,
  });
  const live = new LiveNumbers({ database, today, firstCommits });
  const minimumGroupSize =
    config.privacy.minimumGroupSize ?? (kit.isProduction ? 5 : 1);
  const shown: Shown =
    minimumGroupSize === 1
      ? { numbers: live, friction }
      : await openReleased({
          database,
          minimumGroupSize,
          pulseDays: config.pulse.cadenceDays,
          today,
          joiners: () => firstCommits.joiners(),
        });
  const teams = new TeamNames({
    directory,
    recorded: async () => {
      const tallies = await readTallies(database.knex, 'records');
      return tallies.map(({ team }) => team);
    },
  });
  return {
    database,
    portal,
    directory,
    hasher,
    cache,
    activity,
    friction,
    live,
    shown,
    attribution: new Attribution({ directory, hasher, teams, now, timeZone }),
    lake: new DeliveryLake({
      portal,
      cacheSeconds: config.deliveryLake.cacheSeconds,
      now: kit.now,
    }),
    timeZone,
    now,
    today,
  };
}

/** Shows only released data, and releases the data of closed cycles. */
async function openReleased(options: DatabaseReleasesOptions): Promise<Shown> {
  const releases = new DatabaseReleases(options);
  const closeCycles = () => releases.closeCycles();
  await closeCycles();
  return {
    numbers: new ReleasedNumbers({ ...options, closeCycles }),
    friction: new ReleasedFriction({ ...options, closeCycles }),
  };
}
