import { ServiceUnavailableError } from '@backstage/errors';
import { ClusterApi } from '../api/ClusterApi';
import { DevWorkspace } from '../objects/types';
import { WorkspaceCache } from './WorkspaceCache';

/**
 * Follows one object until `decide` has an answer. The watch tells at once; now
 * and then the object is read as well, so that a watch that is silently dead
 * keeps nobody waiting.
 *
 * @param options.decide - Called with each state, `undefined` when it is gone; returns undefined to go on waiting, throws to give up.
 * @param options.onTick - Called with each reading.
 * @throws what `decide` throws; the signal's reason; ServiceUnavailableError with `late()` after `timeoutMs`.
 */
export async function waitForWorkspace<T>(options: {
  api: Pick<ClusterApi, 'getWorkspace'>;
  cache: WorkspaceCache;
  workspace: DevWorkspace;
  timeoutMs: number;
  intervalMs: number;
  signal?: AbortSignal;
  decide(workspace: DevWorkspace | undefined): T | undefined;
  late(): string;
  onTick?(workspace: DevWorkspace): Promise<void>;
}): Promise<T> {
  const { api, cache, decide, signal, workspace } = options;
  const { name, namespace = '', uid } = workspace.metadata;
  const isSame = (other: DevWorkspace | undefined) =>
    other?.metadata.uid === uid;
  const cleanUps: (() => void)[] = [];
  try {
    return await new Promise<T>((resolve, reject) => {
      const look = (now: DevWorkspace | undefined) => {
        try {
          const decided = decide(now);
          if (decided !== undefined) {
            resolve(decided);
          }
        } catch (error) {
          reject(error);
        }
      };
      const read = async () => {
        const found = await api.getWorkspace({ name, namespace });
        if (found && isSame(found)) {
          cache.set(found);
          await options.onTick?.(found);
        } else {
          cache.delete(workspace);
          look(undefined);
        }
      };
      const tick = setInterval(
        // A reading that fails is made up for by the next one, or by the watch.
        () => void read().catch(() => undefined),
        options.intervalMs,
      );
      const timer = setTimeout(
        () => reject(new ServiceUnavailableError(options.late())),
        options.timeoutMs,
      );
      const abort = () => reject(signal?.reason);
      signal?.addEventListener('abort', abort);
      cleanUps.push(
        () => clearInterval(tick),
        () => clearTimeout(timer),
        () => signal?.removeEventListener('abort', abort),
        cache.onChange((now, before) => {
          if (isSame(now)) {
            look(now);
          } else if (isSame(before)) {
            look(undefined);
          }
        }),
      );
      if (signal?.aborted) {
        abort();
      }
      look(cache.all().find(isSame) ?? workspace);
    });
  } finally {
    cleanUps.forEach(cleanUp => cleanUp());
  }
}
