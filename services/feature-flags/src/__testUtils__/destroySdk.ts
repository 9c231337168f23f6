import { type Unleash, UnleashEvents } from 'unleash-client';

/**
 * Stops an SDK. A pending request may still fail once the service stops. By then, the SDK has removed
 * its own listeners, and an `error` event without a listener would fail the whole run.
 */
export function destroySdk(sdk: Unleash): void {
  sdk.destroy();
  // eslint-disable-next-line dot-notation -- the brackets reach a private field
  sdk['repository'].on(UnleashEvents.Error, () => {});
}
