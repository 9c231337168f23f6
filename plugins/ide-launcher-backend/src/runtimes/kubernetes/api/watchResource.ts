import { WatchEvent } from './ClusterApi';
import { ConnectedClient } from './connectCluster';

/** The server ends a watch after this time by itself; the client then goes on where it was. */
const SERVER_TIMEOUT_SECONDS = 300;

/**
 * One watch, from its request to its end.
 *
 * @returns when the server ended it or `signal` aborted it.
 * @throws what kept it from being opened or broke it.
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
        // The client reports a refusal before it hands out the controller.
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
