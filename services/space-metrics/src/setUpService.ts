import {
  ConfigurationError,
  type CommonConfig,
  type ServiceKit,
} from '@slipway/service-kit';
import { IANAZone } from 'luxon';
import { connectPortal } from './connectPortal.ts';
import type { SpaceMetricsConfig } from './config.ts';
import { DatabaseLedger } from './ledger/DatabaseLedger.ts';
import { ReportCache } from './metrics/ReportCache.ts';
import { observeWrites } from './observeWrites.ts';
import { Attribution } from './people/Attribution.ts';
import { DatabaseRetention } from './people/DatabaseRetention.ts';
import { PersonHasher } from './people/PersonHasher.ts';
import { localDayOf } from './periods/LocalDay.ts';
import { DatabaseReleases } from './privacy/DatabaseReleases.ts';
import { adoptMinimumGroupSize } from './privacy/DatabaseReleaseSettings.ts';
import { openReleases } from './privacy/Releases.ts';
import { setUpIntake } from './setUpIntake.ts';
import { setUpMetrics } from './setUpMetrics.ts';
import { setUpReminders } from './setUpReminders.ts';

type Kit = ServiceKit<SpaceMetricsConfig & CommonConfig>;

const DAY_MS = 24 * 3_600_000;

/** What all parts of the service share. */
export interface Foundation {
  readonly kit: Kit;
  readonly database: Kit['database'];
  readonly ledger: DatabaseLedger;
  readonly hasher: PersonHasher;
  readonly attribution: Attribution;
  readonly portal: ReturnType<typeof connectPortal>;
  readonly releases: DatabaseReleases | typeof openReleases;
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
  await adoptMinimumGroupSize(database, minimumGroupSize);
  const hasher = new PersonHasher({ key: config.privacy.hashKey });
  const portal = connectPortal(kit);
  const foundation: Foundation = {
    kit,
    database,
    cache,
    hasher,
    portal,
    timeZone,
    now,
    today: () => localDayOf(kit.now(), timeZone),
    access: accessOf(kit),
    attribution: new Attribution({
      directory: portal.directory,
      hasher,
      now,
      timeZone,
    }),
    ledger: new DatabaseLedger({ marksReleases: minimumGroupSize > 1 }),
    releases:
      minimumGroupSize > 1
        ? new DatabaseReleases({ database, minimumGroupSize })
        : openReleases,
  };
  const stores = setUpIntake(foundation);
  setUpMetrics(foundation, stores);
  setUpReminders(foundation);
  scheduleRetention(foundation);
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
