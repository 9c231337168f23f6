import type { ConnectedClient } from '@slipway/cluster-client';
import type { DevWorkspace } from '../objects/types';

/** One line of a watch. For `ERROR`, it has a status instead of an object. */
export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: DevWorkspace;
}

/** The server ends a watch after this time; the client then continues from the same position. */
const SERVER_TIMEOUT_SECONDS = 300;

/**
 * Runs one watch, from its request to its end.
 *
 * @returns when the server ended it or `signal` aborted it.
 * @throws the error if it could not be opened or broke.
 */
export async function watchResource(
  { client, config }: ConnectedClient,
  options: {
    path: string;
    labelSelector: string;
    resourceVersion: string;
    signal: AbortSignal;
    onOpen(): void;
    onEvent(event: WatchEvent): void;
  },
): Promise<void> {
  const { signal } = options;
  const watch = new client.Watch(config);
  let ended = false;
  await new Promise<void>((resolve, reject) => {
    watch
      .watch(
        options.path,
        {
          labelSelector: options.labelSelector,
          resourceVersion: options.resourceVersion,
          allowWatchBookmarks: true,
          timeoutSeconds: SERVER_TIMEOUT_SECONDS,
        },
        (type, object) =>
          options.onEvent({ type: type as WatchEvent['type'], object }),
        error => {
          ended = true;
          if (error && !signal.aborted) {
            reject(error);
          } else {
            resolve();
          }
        },
      )
      .then(controller => {
        // The client reports a refusal before it returns the controller.
        if (ended) {
          return;
        }
        signal.addEventListener('abort', () => controller.abort(), {
          once: true,
        });
        if (signal.aborted) {
          controller.abort();
        } else {
          options.onOpen();
        }
      }, reject);
  });
}
