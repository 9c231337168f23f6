import { Config, readDurationFromConfig } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { durationToMilliseconds } from '@backstage/types';
import { DevfileSample } from '@slipway/plugin-ide-launcher-common';
import { readAdminGroups } from '@slipway/portal-kit';
import { IdeAddresses } from './ide-gateway/ideRoutes';
import { WorkspaceLimits } from './workspaces/policy';
import { CleanUpRules } from './workspaces/expiry';

/** The built-in runtimes. */
const RUNTIME_KINDS = ['local', 'kubernetes'] as const;

/** A built-in runtime. */
export type RuntimeKind = (typeof RUNTIME_KINDS)[number];

const DEFAULT_URL_TEMPLATE = 'http://localhost:7010/w/{workspace}/';
const DEFAULT_IDLE_MINUTES = 30;
const DEFAULT_NOTICE_MS = 7 * 24 * 3_600_000;

/** The plugin's configuration, parsed. */
interface IdeLauncherConfig {
  addresses: IdeAddresses;
  listen: { host: string; port: number };
  /** null: never. */
  idleTimeoutMinutes: number | null;
  limits: WorkspaceLimits;
  /** null: unused workspaces are kept. */
  cleanUp: CleanUpRules | null;
  samples: DevfileSample[];
  /** Address of the devfile for repositories without one; null for the built-in devfile. */
  defaultDevfileUrl: string | null;
  stopOnShutdown: boolean;
  /** The runtime of workspaces, unless a module provides another one. */
  runtime: RuntimeKind;
  /** True if workspaces may run without isolation before an admin accepts it. */
  acceptUnisolated: boolean;
  /** Entity refs of the groups whose members are admins. */
  adminGroups: string[];
  /** The URL at which browsers reach the portal, without a trailing slash. */
  portalUrl: string;
}

function readIdleTimeoutMinutes(config: Config | undefined): number | null {
  if (!config?.has('idleTimeout')) {
    return DEFAULT_IDLE_MINUTES;
  }
  if (config.get('idleTimeout') === 'never') {
    return null;
  }
  const duration = readDurationFromConfig(config, { key: 'idleTimeout' });
  return durationToMilliseconds(duration) / 60_000;
}

function readRuntime(config: Config | undefined): RuntimeKind {
  const named = config?.getOptionalString('runtime') ?? 'local';
  const kind = RUNTIME_KINDS.find(known => known === named);
  if (!kind) {
    throw new InputError(
      `ideLauncher.runtime must be one of ${RUNTIME_KINDS.join(
        ', ',
      )}, not ${named}`,
    );
  }
  return kind;
}

function readCleanUp(config: Config | undefined): CleanUpRules | null {
  if (!config?.has('cleanUp')) {
    return null;
  }
  const milliseconds = (key: string) =>
    durationToMilliseconds(readDurationFromConfig(config, { key }));
  const afterMs = milliseconds('cleanUp.after');
  const noticeMs = config.has('cleanUp.notice')
    ? milliseconds('cleanUp.notice')
    : DEFAULT_NOTICE_MS;
  return { afterMs, noticeMs };
}

/** Reads `ideLauncher`. @throws Error naming the invalid key. */
export function readIdeLauncherConfig(rootConfig: Config): IdeLauncherConfig {
  const config = rootConfig.getOptionalConfig('ideLauncher');
  const samples = config?.getOptionalConfigArray('devfile.samples') ?? [];
  const runtime = readRuntime(config);
  return {
    addresses: new IdeAddresses(
      config?.getOptionalString('gateway.urlTemplate') ?? DEFAULT_URL_TEMPLATE,
    ),
    listen: {
      host: config?.getOptionalString('gateway.listen.host') ?? '127.0.0.1',
      port: config?.getOptionalNumber('gateway.listen.port') ?? 7010,
    },
    idleTimeoutMinutes: readIdleTimeoutMinutes(config),
    limits: {
      total: config?.getOptionalNumber('limits.total') ?? 50,
      running: config?.getOptionalNumber('limits.running') ?? 25,
      everyone: {
        total: config?.getOptionalNumber('limits.everyone.total') ?? null,
        running: config?.getOptionalNumber('limits.everyone.running') ?? null,
      },
    },
    cleanUp: readCleanUp(config),
    samples: samples.map(sample => ({
      title: sample.getString('title'),
      description: sample.getString('description'),
      devfileUrl: sample.getString('devfileUrl'),
    })),
    defaultDevfileUrl: config?.getOptionalString('devfile.defaultUrl') ?? null,
    // A cluster, and the workspaces in it, outlive the portal.
    stopOnShutdown:
      runtime === 'local' &&
      (config?.getOptionalBoolean('local.stopOnShutdown') ?? true),
    runtime,
    // In production an admin must accept this, even if the configuration was copied there.
    acceptUnisolated:
      process.env.NODE_ENV !== 'production' &&
      (config?.getOptionalBoolean('acceptUnisolated') ?? false),
    adminGroups: readAdminGroups(rootConfig),
    portalUrl: rootConfig.getString('app.baseUrl').replace(/(?<!\/)\/+$/, ''),
  };
}
