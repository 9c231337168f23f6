import { repositoryRoot } from '@slipway/dev-runner/src/layout.ts';
import { readServices } from '@slipway/dev-runner/src/readAddresses.ts';

const PLENTY = 1_000_000_000;

/** Counted, and never reached: what is behind the limits is to be found out. */
const rateLimit = {
  enabled: true,
  perMinute: PLENTY,
  anonymousPerMinute: PLENTY,
};

/** A lag that no busy machine reaches: services turn requests away above their own. */
const limits = { eventLoopDelay: 60_000, handlerTimeout: 60_000 };

/** The configuration of development, changed so that requests come as far as the work. */
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
  slipway_rateLimit_enabled: true,
  slipway_rateLimit_userPerMinute: PLENTY,
  slipway_rateLimit_servicePerMinute: PLENTY,
  slipway_rateLimit_anonymousPerMinute: PLENTY,
  analytics_capture_eventsPerMinute: PLENTY,
  analytics_events_engine: 'sqlite',
  analytics_events_install: false,
  buildServer_executors: 1,
  designSite_build: 'never',
  // Nothing leaves the machine, and no workspace has an editor.
  featureFlags_egress_allowedHosts: [],
  // An answer without end is none that can be judged.
  featureFlags_streams_most: 0,
  feedback_egress_allowedHosts: [],
  ideLauncher_limits_everyone: { total: 5, running: 1 },
  ideLauncher_local_editor_command: ['false'],
  ideLauncher_local_editor_install: false,
};
