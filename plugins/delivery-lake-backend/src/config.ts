import { Config, readDurationFromConfig } from '@backstage/config';
import { durationToMilliseconds } from '@backstage/types';
import { Forge, Sender } from '@slipway/platform-guards';
import { DoraMetricName } from '@slipway/plugin-delivery-lake-common';
import { IANAZone } from 'luxon';

/** Webhook settings of any sender. */
export interface SenderConfig {
  /** A signature with any of them is accepted. If empty, deliveries need a service token. */
  secrets: string[];
}

/** Webhook settings of a sender whose issues may be incidents. */
export interface IssueConfig extends SenderConfig {
  /** Labels, in lower case, that mark an issue as an incident. */
  incidentLabels: string[];
}

/** Webhook settings of Jira. */
export interface JiraConfig extends IssueConfig {
  /** Issue types, in lower case, that are incidents. */
  issueTypes: string[];
}

/** Webhook settings of one forge. */
export interface ForgeConfig extends IssueConfig {
  /** Determines whether a published release counts as a production deployment. */
  releases: 'deployments' | 'ignore';
}

/** The minimum (deployment frequency) or maximum (all other metrics) for each level. */
export interface LevelThresholds {
  elite: number;
  high: number;
  medium: number;
}

/** Settings that determine failures and performance levels. */
export interface DoraConfig {
  /**
   * The time, in milliseconds, within which an incident is attributed to a deployment; 0 disables
   * guessing.
   */
  incidentWindow: number;
  levels: 'table' | 'percentile';
  /** Deployments per week, hours, percent. */
  thresholds: Record<DoraMetricName, LevelThresholds>;
}

/** The plugin's configuration, parsed. */
export interface DeliveryLakeConfig {
  timeZone: string;
  /** Reported name in lower case → dev, staging or prod. */
  environments: ReadonlyMap<string, 'dev' | 'staging' | 'prod'>;
  /** Maximum time that an event may be in the future, in milliseconds. */
  clockSkew: number;
  /** Time for which deliveries without an event are kept, in milliseconds; 0: forever. */
  keepUnused: number;
  dora: DoraConfig;
  webhooks: Record<Forge, ForgeConfig> & {
    pagerduty: SenderConfig;
    jira: JiraConfig;
  };
}

const ENVIRONMENT_NAMES = {
  prod: ['prod', 'production', 'prd', 'live'],
  staging: [
    'staging',
    'stage',
    'stg',
    'test',
    'testing',
    'qa',
    'uat',
    'preprod',
    'pre-production',
  ],
  dev: ['dev', 'development'],
} as const;

const DAY_HOURS = 24;
const RESTORE_HOURS = { elite: 1, high: DAY_HOURS, medium: 7 * DAY_HOURS };
const FAILURE_PERCENT = { elite: 5, high: 10, medium: 15 };

/** DORA's 2023 table with the commonly used thresholds. */
const DEFAULT_THRESHOLDS: DoraConfig['thresholds'] = {
  deploymentFrequency: { elite: 7, high: 1, medium: 7 / 30 },
  leadTimeForChanges: {
    elite: DAY_HOURS,
    high: 7 * DAY_HOURS,
    medium: 30 * DAY_HOURS,
  },
  changeFailureRate: FAILURE_PERCENT,
  timeToRestoreService: RESTORE_HOURS,
  failedDeploymentRecoveryTime: RESTORE_HOURS,
  deploymentReworkRate: FAILURE_PERCENT,
};

function readDuration(
  config: Config | undefined,
  key: string,
  fallback: number,
): number {
  if (!config?.has(key)) {
    return fallback;
  }
  return config.get(key) === 0
    ? 0
    : durationToMilliseconds(readDurationFromConfig(config, { key }));
}

function readOneOf<T extends string>(
  config: Config | undefined,
  key: string,
  allowed: readonly T[],
  fallback: T,
): T {
  const value = config?.getOptionalString(key) ?? fallback;
  const found = allowed.find(word => word === value);
  if (!found) {
    throw new Error(
      `deliveryLake.${key} is ${value}; it can be ${allowed.join(' or ')}`,
    );
  }
  return found;
}

function readEnvironments(
  config: Config | undefined,
): DeliveryLakeConfig['environments'] {
  const names = new Map<string, 'dev' | 'staging' | 'prod'>();
  for (const environment of ['dev', 'staging', 'prod'] as const) {
    const own = config?.getOptionalStringArray(`environments.${environment}`);
    for (const name of [...ENVIRONMENT_NAMES[environment], ...(own ?? [])]) {
      names.set(name.toLocaleLowerCase('en-US'), environment);
    }
  }
  return names;
}

function readThresholds(config: Config | undefined): DoraConfig['thresholds'] {
  const thresholds = structuredClone(DEFAULT_THRESHOLDS);
  for (const [metric, levels] of Object.entries(thresholds)) {
    for (const level of ['elite', 'high', 'medium'] as const) {
      levels[level] =
        config?.getOptionalNumber(`dora.thresholds.${metric}.${level}`) ??
        levels[level];
    }
  }
  return thresholds;
}

function readSender(config: Config | undefined, sender: Sender): SenderConfig {
  return {
    secrets: config?.getOptionalStringArray(`webhooks.${sender}.secrets`) ?? [],
  };
}

/** Reads a list of names in lower case, for case-insensitive comparison. */
function readNames(
  config: Config | undefined,
  key: string,
  fallback: string[],
): string[] {
  const names = config?.getOptionalStringArray(key) ?? fallback;
  return names.map(name => name.toLocaleLowerCase('en-US'));
}

function readIssues(config: Config | undefined, sender: Sender): IssueConfig {
  return {
    ...readSender(config, sender),
    incidentLabels: readNames(config, `webhooks.${sender}.incidentLabels`, [
      'incident',
    ]),
  };
}

/** `[System] Incident` is the built-in type of Jira Service Management. */
const INCIDENT_TYPES = ['Incident', '[System] Incident'];

function readForge(config: Config | undefined, forge: Forge): ForgeConfig {
  const hasDeployments = forge === 'github' || forge === 'gitlab';
  return {
    ...readIssues(config, forge),
    releases: readOneOf(
      config,
      `webhooks.${forge}.releases`,
      ['deployments', 'ignore'],
      hasDeployments ? 'ignore' : 'deployments',
    ),
  };
}

/** Reads the configuration under `deliveryLake`. @throws Error naming the invalid key. */
export function readDeliveryLakeConfig(rootConfig: Config): DeliveryLakeConfig {
  const config = rootConfig.getOptionalConfig('deliveryLake');
  const timeZone = config?.getOptionalString('timeZone') ?? 'UTC';
  if (!IANAZone.isValidZone(timeZone)) {
    throw new Error(
      `deliveryLake.timeZone is ${timeZone}, which is not an IANA time zone`,
    );
  }
  return {
    timeZone,
    environments: readEnvironments(config),
    clockSkew: readDuration(config, 'ingest.clockSkew', 5 * 60_000),
    keepUnused: readDuration(
      config,
      'ingest.keepUnused',
      90 * DAY_HOURS * 3_600_000,
    ),
    dora: {
      incidentWindow: readDuration(
        config,
        'dora.incidentWindow',
        24 * 3_600_000,
      ),
      levels: readOneOf(
        config,
        'dora.levels',
        ['table', 'percentile'],
        'table',
      ),
      thresholds: readThresholds(config),
    },
    webhooks: {
      github: readForge(config, 'github'),
      gitlab: readForge(config, 'gitlab'),
      gitea: readForge(config, 'gitea'),
      forgejo: readForge(config, 'forgejo'),
      pagerduty: readSender(config, 'pagerduty'),
      jira: {
        ...readIssues(config, 'jira'),
        issueTypes: readNames(
          config,
          'webhooks.jira.issueTypes',
          INCIDENT_TYPES,
        ),
      },
    },
  };
}
