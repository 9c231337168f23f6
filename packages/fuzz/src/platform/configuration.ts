import { repositoryRoot } from '@slipway/dev-runner/src/layout.ts';
import { readServices } from '@slipway/dev-runner/src/readAddresses.ts';

const PLENTY = 1_000_000_000;

/**
 * Requests are counted, but the limits are never reached, so that the code behind them is tested.
 */
const rateLimit = {
  enabled: true,
  perMinute: PLENTY,
  anonymousPerMinute: PLENTY,
};

/** A delay that no busy machine reaches: services reject requests above their limit. */
const limits = { eventLoopDelay: 60_000, handlerTimeout: 60_000 };

/** The development configuration, changed so that requests get as far as the application code. */
export const configuration: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    readServices(repositoryRoot).flatMap(({ configKey: section }) => [
      ...Object.entries(rateLimit).map(([key, value]) => [
        `${section}_rateLimit_${key}`,
        value,
      ]),
      ...Object.entries(limits).map(([key, value]) => [
        `${section}_limits_${key}`,
        value,
      ]),
      [`${section}_logging_level`, 'fatal'],
    ]),
  ),
  // Nobody opens pages.
  app_disableStaticFallbackCache: true,
  slipway_rateLimit_enabled: true,
  slipway_rateLimit_userPerMinute: PLENTY,
  slipway_rateLimit_servicePerMinute: PLENTY,
  slipway_rateLimit_anonymousPerMinute: PLENTY,
  analytics_capture_eventsPerMinute: PLENTY,
  analytics_events_engine: 'sqlite',
  analytics_events_install: false,
  buildServer_executors: 1,
  designSite_build: 'never',
  // Nothing is sent to other machines, and no workspace has an editor.
  featureFlags_egress_allowedHosts: [],
  // An endless response cannot be judged.
  featureFlags_streams_most: 0,
  feedback_egress_allowedHosts: [],
  ideLauncher_limits_everyone: { total: 5, running: 1 },
  ideLauncher_local_editor_command: ['false'],
  ideLauncher_local_editor_install: false,
};
