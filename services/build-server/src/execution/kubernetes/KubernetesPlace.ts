import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { rm } from 'node:fs/promises';
import type { V1Job } from '@kubernetes/client-node';
import {
  ClusterRefusedError,
  ClusterUnreachableError,
} from '@slipway/cluster-client';
import { type Command, ReportError, shellScript } from '../commands.ts';
import { type Place, type PlaceRequest, PlaceLostError } from '../Executor.ts';
import type { BuildCluster } from './BuildCluster.ts';
import { commandJob, ownedBy, secretOf } from './objects.ts';
import { INSIDE, nameOf, type PodSettings } from './podSpec.ts';
import { execInPod } from './podExec.ts';
import { PodFiles } from './PodFiles.ts';
import { PodLog } from './podLog.ts';
import { describeEnd } from './podState.ts';
import { LOST_AFTER_MS, watchPod } from './watchPod.ts';

/** Thrown if the pod with the folders cannot run; the message is the end of a sentence. */
class PodFault extends ReportError {}

/** Timeouts and settings of a place. */
export interface PlaceOptions {
  cluster: BuildCluster;
  settings: PodSettings;
  killAfterMs: number;
  /** Milliseconds for a pod to start. */
  startMs: number;
  /** The timeout of commands without their own. */
  maxSeconds: number;
  /** Maximum bytes of all files that are copied from a pod together. */
  maxBytes: number;
}

interface PlaceParts extends PlaceOptions {
  build: PlaceRequest & { image: string };
  /** The Job that owns all others. */
  root: V1Job;
  /** Absolute; for copies of files. */
  directory: string;
  onClose(): void;
}

/** The folders and the pods of one attempt of a build. */
export class KubernetesPlace implements Place {
  readonly #options: PlaceParts;
  /** Names and addresses of running services. */
  readonly #hosts = new Map<string, string>();
  /** Services whose address is not known yet. */
  readonly #starting = new Set<Promise<void>>();
  readonly #ended = new AbortController();
  /** The pod with the folders, once it runs. */
  #pod: Promise<string> | undefined;
  #commands = 0;

  constructor(options: PlaceParts) {
    this.#options = options;
  }

  async run(command: Command): Promise<string | null> {
    command.signal.throwIfAborted();
    if (command.isOffline) {
      return 'it must not reach the network, which a cluster does not promise';
    }
    try {
      const pod = await this.#prepared(command.signal);
      if (!command.service) {
        await Promise.all(this.#starting);
      }
      return command.isInternal
        ? await this.#exec(pod, command)
        : await (command.service
            ? this.#runService(command)
            : this.#runJob(command));
    } catch (error) {
      command.signal.throwIfAborted();
      if (error instanceof PodFault || error instanceof ClusterRefusedError) {
        return error.message;
      }
      if (error instanceof ClusterUnreachableError) {
        throw new PlaceLostError(error.message);
      }
      throw error;
    }
  }

  async bring(globs: readonly string[]): Promise<string> {
    return globs.length === 0
      ? this.#options.directory
      : (await this.#files()).bring(globs);
  }

  async put(content: AsyncIterable<Buffer>): Promise<string> {
    return (await this.#files()).put(content);
  }

  async take(name: string): Promise<FileHandle | undefined> {
    return (await this.#files()).open(name);
  }

  async close(): Promise<void> {
    const { cluster, root, directory, killAfterMs, onClose } = this.#options;
    this.#ended.abort();
    const { name = '' } = root.metadata ?? {};
    try {
      await cluster.deleteJob(name);
      await cluster.untilGone(name, killAfterMs + LOST_AFTER_MS);
    } catch (error) {
      // Tidying deletes it once the cluster responds again.
      if (!(error instanceof ClusterUnreachableError)) {
        throw error;
      }
    } finally {
      await rm(directory, { recursive: true, force: true });
      onClose();
    }
  }

  async #files(): Promise<PodFiles> {
    const { cluster, directory, maxBytes } = this.#options;
    const { signal } = this.#ended;
    const pod = await this.#prepared(signal);
    return new PodFiles({ cluster, pod, directory, maxBytes, signal });
  }

  /**
   * Waits until the pod with the folders runs, or the signal aborts. All commands wait for the same
   * pod, whose start does not end with the first of them.
   *
   * @returns its name.
   */
  async #prepared(signal: AbortSignal): Promise<string> {
    if (!this.#pod) {
      this.#pod = this.#prepare();
      this.#pod.catch((error: unknown) => {
        // A pod that cannot run fails all commands; after anything else, the next one tries again.
        this.#pod = error instanceof PodFault ? this.#pod : undefined;
      });
    }
    const waiting = new AbortController();
    const aborted = once(signal, 'abort', { signal: waiting.signal });
    try {
      return await Promise.race([
        this.#pod,
        aborted.then(() => Promise.reject(signal.reason)),
      ]);
    } finally {
      waiting.abort();
    }
  }

  async #prepare(): Promise<string> {
    const { cluster, root, startMs } = this.#options;
    const { signal } = this.#ended;
    const job = root.metadata?.name ?? '';
    for await (const state of watchPod({ cluster, job, startMs, signal })) {
      if (state.kind === 'failed') {
        throw new PodFault(state.why);
      }
      const pod = state.pod.metadata?.name ?? '';
      const code = await execInPod({
        ...{ cluster, pod, signal },
        argv: ['mkdir', '-p', INSIDE.work, INSIDE.home, INSIDE.tmp],
        output: async () => {},
      });
      if (state.kind === 'ended' || code !== 0) {
        throw new PodFault('its folders could not be created in its volume');
      }
      return pod;
    }
    throw new PlaceLostError('its pod is gone');
  }

  /**
   * Runs a command of the build server in the pod of the folders, which is faster than a separate
   * pod.
   */
  async #exec(pod: string, command: Command): Promise<string | null> {
    const { cluster, build } = this.#options;
    const { argv, signal, output } = command;
    const script = Buffer.from(
      shellScript(argv, {
        environment: { ...build.environment, ...command.environment },
        directory: INSIDE.work,
      }),
    );
    const code = await execInPod({
      ...{ cluster, pod, signal, output },
      argv: ['/bin/sh', '-c', 'eval "$(head -c "$0")"', String(script.length)],
      input: [script],
    });
    return code === 0 ? null : `it ended with exit code ${code}`;
  }

  async #runService(command: Command): Promise<string | null> {
    let start = () => {};
    const started = new Promise<void>(resolve => {
      start = resolve;
    });
    this.#starting.add(started);
    try {
      return await this.#runJob(command, address => {
        this.#hosts.set(command.service?.name ?? '', address);
        start();
      });
    } finally {
      this.#hosts.delete(command.service?.name ?? '');
      start();
      this.#starting.delete(started);
    }
  }

  async #runJob(
    command: Command,
    onAddress?: (address: string) => void,
  ): Promise<string | null> {
    const { cluster, settings, build, root, killAfterMs } = this.#options;
    const { service, signal } = command;
    this.#commands += 1;
    const part = String(this.#commands);
    const key = { ...build };
    const name = nameOf(settings, key, part);
    const job = await cluster.createJob(
      commandJob(settings, key, {
        part,
        owner: ownedBy(root),
        image: service?.image ?? build.image,
        argv: inWorkFolder(command.argv),
        timeoutSeconds: command.timeoutSeconds ?? this.#options.maxSeconds,
        killAfterSeconds: killAfterMs / 1_000,
        hosts: this.#hosts,
      }),
    );
    const remove = () => cluster.deleteJob(name);
    // A failure does not matter: the watch detects when the pod is gone.
    const onAbort = () => void remove().catch(() => undefined);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await cluster.createSecret(
        secretOf(settings, key, {
          ...{ part, owner: ownedBy(job) },
          environment: { ...build.environment, ...command.environment },
        }),
      );
      signal.throwIfAborted();
      await cluster.resume(name);
      return await this.#follow(name, command, onAddress);
    } finally {
      signal.removeEventListener('abort', onAbort);
      await remove();
      if (signal.aborted) {
        await cluster.untilGone(name, killAfterMs + LOST_AFTER_MS);
      }
    }
  }

  /** Follows the pod of a Job to its end. */
  async #follow(
    job: string,
    command: Command,
    onAddress?: (address: string) => void,
  ): Promise<string | null> {
    const { cluster, startMs, settings } = this.#options;
    const { signal, output } = command;
    const following = new AbortController();
    let log: { reader: PodLog; done: Promise<void> } | undefined;
    try {
      for await (const state of watchPod({ cluster, job, startMs, signal })) {
        if (state.kind === 'failed') {
          return state.why;
        }
        const { metadata, status } = state.pod;
        if (!log) {
          const reader = new PodLog({
            ...{ cluster, pod: metadata?.name ?? '' },
            onChunk: chunk => output(chunk, 'stdout'),
          });
          log = { reader, done: reader.follow(following.signal) };
        }
        if (status?.podIP) {
          onAddress?.(status.podIP);
        }
        if (state.kind === 'ended') {
          following.abort();
          await log.done;
          await log.reader.drain();
          return describeEnd(state, settings);
        }
      }
      throw new PlaceLostError('its pod is gone');
    } finally {
      following.abort();
      await log?.done;
    }
  }
}

/**
 * Returns the command that runs a program in the work folder, which exists only once the pod has
 * its volume.
 */
function inWorkFolder(argv: readonly string[]): readonly string[] {
  return argv.length === 0
    ? argv
    : ['/bin/sh', '-c', 'cd "$WORKSPACE" && exec "$0" "$@"', ...argv];
}
