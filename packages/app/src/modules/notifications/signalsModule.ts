import {
  ApiBlueprint,
  createFrontendModule,
  discoveryApiRef,
  identityApiRef,
} from '@backstage/frontend-plugin-api';
import { SignalClient } from '@backstage/plugin-signals';
import { signalApiRef } from '@backstage/plugin-signals-react';

/**
 * Time in which the connection has to open, in milliseconds. Browsers delay the next attempts by up
 * to five seconds after several have failed, as during a restart of the portal; Backstage's default
 * of one second would then end each attempt before it begins.
 */
const CONNECT_TIMEOUT_MS = 15_000;

/** Creates the client that receives signals, such as those about new notifications. */
export function createSignals(
  options: Pick<
    Parameters<typeof SignalClient.create>[0],
    'identity' | 'discoveryApi'
  >,
): SignalClient {
  return SignalClient.create({
    ...options,
    connectTimeout: CONNECT_TIMEOUT_MS,
  });
}

const api = ApiBlueprint.make({
  params: define =>
    define({
      api: signalApiRef,
      deps: { identity: identityApiRef, discoveryApi: discoveryApiRef },
      factory: createSignals,
    }),
});

/** Signals of Backstage, with more patience for their connection. */
export const signalsModule = createFrontendModule({
  pluginId: 'signals',
  extensions: [api],
});
