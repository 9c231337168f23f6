import {
  ConfigurationError,
  type CommonConfig,
  type ServiceKit,
} from '@slipway/service-kit';
import { IANAZone } from 'luxon';
import { connectPortal } from './connectPortal.ts';
import type { SpaceMetricsConfig } from './config.ts';
import { DatabaseActivityStore } from './activity/DatabaseActivityStore.ts';
import { DatabaseFrictionStore } from './friction/storage/DatabaseFrictionStore.ts';
import type { TopFriction } from './friction/TopFriction.ts';
import { FirstCommitTimes } from './metrics/FirstCommitTimes.ts';
import type { Numbers } from './metrics/Numbers.ts';
import { ReportCache } from './metrics/ReportCache.ts';
import { observeWrites } from './observeWrites.ts';
import { Attribution } from './people/Attribution.ts';
import { DatabaseRetention } from './people/DatabaseRetention.ts';
import { PersonHasher } from './people/PersonHasher.ts';
import { TeamNames } from './people/TeamNames.ts';
import { LiveNumbers } from './metrics/storage/LiveNumbers.ts';
import { readTallies } from './metrics/storage/readTallies.ts';
import { localDayOf } from './periods/LocalDay.ts';
import { DatabaseReleases } from './releases/storage/DatabaseReleases.ts';
import { ReleasedFriction } from './releases/storage/ReleasedFriction.ts';
import { ReleasedNumbers } from './releases/storage/ReleasedNumbers.ts';
import { setUpIntake } from './setUpIntake.ts';
import { setUpMetrics } from './setUpMetrics.ts';
import { setUpReminders } from './setUpReminders.ts';

type Kit = ServiceKit<SpaceMetricsConfig & CommonConfig>;

const DAY_MS = 24 * 3_600_000;

/** What all parts of the service share. */
export interface Foundation {
  readonly kit: Kit;
  readonly database: Kit['database'];
  readonly activity: DatabaseActivityStore;
  readonly friction: DatabaseFrictionStore;
  readonly live: LiveNumbers;
  /** What may be shown. */
  readonly shown: { numbers: Numbers; friction: TopFriction };
  readonly hasher: PersonHasher;
  readonly attribution: Attribution;
  readonly portal: ReturnType<typeof connectPortal>;
  readonly cache: ReportCache;
  readonly access: ReturnType<typeof accessOf>;
  readonly timeZone: string;
  readonly now: () => Date;
  /** A `LocalDay` of the reporting zone. */
  readonly today: () => number;
}

/** Puts the service together. */
export async function setUpService(kit: Kit): Promise<void> {
  const { config } = kit;
  const { timeZone } = config;
  if (!IANAZone.isValidZone(timeZone)) {
    throw new ConfigurationError([
      `spaceMetrics.timeZone must be a zone such as Europe/Berlin, not '${timeZone}'`,
    ]);
  }
  const minimumGroupSize =
    config.privacy.minimumGroupSize ?? (kit.isProduction ? 5 : 1);
  const now = () => new Date(kit.now());
  const cache = new ReportCache({
    maximumAgeMs: config.cacheSeconds * 1_000,
    now: kit.now,
  });
  const database = observeWrites(kit.database, () => cache.outdate());
  const hasher = new PersonHasher({ key: config.privacy.hashKey });
  const portal = connectPortal(kit);
  const { directory } = portal;
  const today = () => localDayOf(kit.now(), timeZone);
  const activity = new DatabaseActivityStore(database);
  const friction = new DatabaseFrictionStore(database);
  const firstCommits = new FirstCommitTimes({
    store: activity,
    directory,
    hasher,
  });
  const live = new LiveNumbers({ database, today, firstCommits });
  const foundation: Foundation = {
    kit,
    database,
    cache,
    hasher,
    portal,
    timeZone,
    now,
    today,
    activity,
    friction,
    live,
    shown:
      minimumGroupSize === 1
        ? { numbers: live, friction }
        : await setUpReleases(kit, {
            database,
            minimumGroupSize,
            today,
            joiners: () => firstCommits.joiners(),
          }),
    access: accessOf(kit),
    attribution: new Attribution({
      directory,
      hasher,
      teams: new TeamNames({
        directory,
        recorded: async () => {
          const tallies = await readTallies(database.knex, 'records');
          return tallies.map(({ team }) => team);
        },
      }),
      now,
      timeZone,
    }),
  };
  setUpIntake(foundation);
  setUpMetrics(foundation);
  setUpReminders(foundation);
  scheduleRetention(foundation);
}

/** Shows what is released, and nothing else. */
async function setUpReleases(
  kit: Kit,
  options: Omit<ConstructorParameters<typeof DatabaseReleases>[0], 'pulseDays'>,
): Promise<Foundation['shown']> {
  const releases = new DatabaseReleases({
    ...options,
    pulseDays: kit.config.pulse.cadenceDays,
  });
  const closeCycles = () => releases.closeCycles();
  await closeCycles();
  return {
    numbers: new ReleasedNumbers({ ...options, closeCycles }),
    friction: new ReleasedFriction({ ...options, closeCycles }),
  };
}

function accessOf({ auth, config, isProduction }: Kit) {
  const isOpen =
    (config.auth.reads ?? (isProduction ? 'required' : 'open')) === 'open';
  return {
    submit: auth.anyOf(auth.apiKey(), auth.portalUser()),
    /** For other systems: users do not report for themselves what they did. */
    report: auth.apiKey(),
    read: auth.anyOf(
      auth.apiKey({ optional: isOpen }),
      auth.portalUser({ optional: isOpen }),
    ),
    anyone: auth.anyone,
  };
}

function scheduleRetention({ kit, database, timeZone, now }: Foundation): void {
  const retention = new DatabaseRetention({
    database,
    days: kit.config.privacy.retentionDays,
    timeZone,
  });
  kit.every({
    name: 'Deleting old records',
    everyMs: DAY_MS,
    work: () => retention.apply(now()),
  });
}
