import type {
  LoggerService,
  RootConfigService,
} from '@backstage/backend-plugin-api';
import { InMemStorageProvider, Unleash, UnleashEvents } from 'unleash-client';

const DEFAULT_REFRESH_S = 15;
/** Milliseconds after which a client that polls tries the stream again. */
const STREAM_AGAIN_MS = 60_000;

/**
 * Connects the portal to the feature-flag service, which may become available later.
 *
 * @returns undefined if no service is configured.
 */
export function connectFlags(options: {
  config: RootConfigService;
  logger: LoggerService;
}): Unleash | undefined {
  const { config, logger } = options;
  const section = config.getOptionalConfig('slipway.flags');
  if (!section) {
    return undefined;
  }
  const refreshSeconds =
    section.getOptionalNumber('refreshSeconds') ?? DEFAULT_REFRESH_S;
  const unleash = new Unleash({
    url: section.getString('url'),
    appName: 'portal',
    refreshInterval: refreshSeconds * 1_000,
    customHeaders: { Authorization: section.getString('token') },
    // Nothing is stored on disk: flags have their defaults until the service has responded.
    storageProvider: new InMemStorageProvider(),
    experimentalMode: { type: 'streaming' },
  });
  // After repeated failures, the client stops streaming and polls from then on.
  unleash.on(UnleashEvents.Mode, ({ to }: { to: string }) => {
    if (to === 'polling') {
      setTimeout(
        () => unleash.setExperimentalMode('streaming'),
        STREAM_AGAIN_MS,
      ).unref();
    }
  });
  let isFailing = false;
  // Logs one line for all failures while the service is down.
  const onFailure = (error: unknown) => {
    if (!isFailing) {
      isFailing = true;
      logger.warn(
        `Could not update the portal's flags, which keep their values: ${error}`,
      );
    }
  };
  unleash.on(UnleashEvents.Error, onFailure);
  unleash.on(UnleashEvents.Warn, onFailure);
  const onAnswer = () => {
    isFailing = false;
  };
  unleash.on(UnleashEvents.Changed, onAnswer);
  unleash.on(UnleashEvents.Unchanged, onAnswer);
  return unleash;
}
