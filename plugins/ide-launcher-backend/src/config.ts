import { Config, readDurationFromConfig } from '@backstage/config';
import { durationToMilliseconds } from '@backstage/types';
import { DevfileSample } from '@slipway/plugin-ide-launcher-common';
import { IdeAddresses } from './ide-gateway/IdeAddresses';
import { WorkspaceLimits } from './workspaces/LimitGuard';

const DEFAULT_URL_TEMPLATE = 'http://localhost:7010/w/{workspace}/';
const DEFAULT_IDLE_MINUTES = 30;

/** The plugin's configuration, parsed. */
export interface IdeLauncherConfig {
  addresses: IdeAddresses;
  listen: { host: string; port: number };
  /** null: never. */
  idleTimeoutMinutes: number | null;
  limits: WorkspaceLimits;
  samples: DevfileSample[];
  stopOnShutdown: boolean;
  /** Where browsers reach the portal, without a trailing slash. */
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

/** Reads `ideLauncher`. @throws Error naming the key at fault. */
export function readIdeLauncherConfig(rootConfig: Config): IdeLauncherConfig {
  const config = rootConfig.getOptionalConfig('ideLauncher');
  const samples = config?.getOptionalConfigArray('devfile.samples') ?? [];
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
    },
    samples: samples.map(sample => ({
      title: sample.getString('title'),
      description: sample.getString('description'),
      devfileUrl: sample.getString('devfileUrl'),
    })),
    stopOnShutdown: config?.getOptionalBoolean('local.stopOnShutdown') ?? true,
    portalUrl: rootConfig.getString('app.baseUrl').replace(/\/+$/, ''),
  };
}
