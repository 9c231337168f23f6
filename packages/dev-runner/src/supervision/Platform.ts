import { addressTable, formatDuration, type PlatformLog } from '../output.ts';
import type { PartDefinition } from '../parts.ts';
import type { RunRecords } from './RunRecords.ts';
import { watchSources, type SourceWatch } from '../sources.ts';
import { type BackoffOptions, PartSupervisor } from './PartSupervisor.ts';

const DEFAULT_BACKOFF: BackoffOptions = {
  firstMs: 1_000,
  maxMs: 30_000,
  stableMs: 60_000,
};

/** The backend stops running workspaces before it ends. */
const DEFAULT_GRACE_MS = 10_000;

/** Options of {@link Platform}. */
export interface PlatformOptions {
  parts: readonly PartDefinition[];
  /** Absolute path of the repository. */
  root: string;
  env: NodeJS.ProcessEnv;
  log: PlatformLog;
  records: RunRecords;
  /** Defaults to 1 s after the first crash and 30 s at most. */
  backoff?: BackoffOptions;
  /** Milliseconds between SIGTERM and SIGKILL. */
  graceMs?: number;
}

/** Starts, watches, announces and stops all parts together. */
export class Platform {
  readonly #options: PlatformOptions;
  readonly #supervisors: ReadonlyMap<string, PartSupervisor>;
  readonly #awaited: Set<string>;
  readonly #startedAt = Date.now();
  readonly #started = new Set<string>();
  /** The last line of output of each part that has failed, by the part's name. */
  readonly #failures = new Map<string, string>();
  /** Parts that respond, but lack the result of a part that failed. */
  readonly #incomplete = new Set<PartDefinition>();
  #watches: SourceWatch[] = [];

  constructor(options: PlatformOptions) {
    this.#options = options;
    this.#awaited = new Set(options.parts.map(part => part.name));
    this.#supervisors = new Map(
      options.parts.map(part => [
        part.name,
        new PartSupervisor({
          part,
          root: options.root,
          env: options.env,
          log: options.log,
          records: options.records,
          backoff: options.backoff ?? DEFAULT_BACKOFF,
          graceMs: options.graceMs ?? DEFAULT_GRACE_MS,
          onReady: () => this.#partReady(part),
          onEnd: ({ succeeded, lastLine }) => {
            if (!succeeded) {
              this.#failures.set(part.name, lastLine);
            }
            this.#startWhatWaited(part, succeeded);
          },
        }),
      ]),
    );
  }

  /**
   * Starts the parts; one with `startsAfter` starts once that part has ended. Prints the table of
   * addresses when all are ready.
   */
  start(): void {
    this.#options.parts
      .filter(part => !part.startsAfter)
      .forEach(part => this.#start(part));
    this.#watches = this.#options.parts.flatMap(part => this.#watch(part));
  }

  /** Resolves when no process of any part is left. */
  async stop(): Promise<void> {
    this.#watches.forEach(watch => watch.close());
    await Promise.all(
      [...this.#supervisors.values()].map(supervisor => supervisor.stop()),
    );
  }

  /** Kills every part immediately. */
  kill(): void {
    this.#supervisors.forEach(supervisor => supervisor.kill());
  }

  #start(part: PartDefinition): void {
    this.#started.add(part.name);
    this.#supervisors.get(part.name)?.restart();
  }

  /**
   * Starts the parts that wait for a part that has ended. If it succeeded, also restarts those that
   * already run, so that they use its new results, and those that were incomplete without it.
   */
  #startWhatWaited({ name }: PartDefinition, succeeded: boolean): void {
    this.#options.parts
      .filter(part => part.startsAfter === name)
      .filter(part => succeeded || !this.#started.has(part.name))
      .forEach(part => this.#start(part));
    for (const part of succeeded ? this.#incomplete : []) {
      if (part.needs?.part === name) {
        this.#incomplete.delete(part);
        this.#start(part);
      }
    }
  }

  #watch(part: PartDefinition): SourceWatch[] {
    const { root, log } = this.#options;
    const { restartOnChangeOf, notifyOnChangeOf } = part;
    const watches: SourceWatch[] = [];
    if (restartOnChangeOf) {
      const onChange = (file: string) => {
        log.say(`${file} has changed, restarting ${part.name}`);
        this.#start(part);
      };
      watches.push(
        watchSources({ root, packageName: restartOnChangeOf, onChange }),
      );
    }
    if (notifyOnChangeOf) {
      const watch = watchSources({
        root,
        packageName: notifyOnChangeOf,
        onChange: file => {
          watch.close();
          log.say(`${file} has changed, restart to rebuild ${part.name}`);
        },
      });
      watches.push(watch);
    }
    return watches;
  }

  #partReady(part: PartDefinition): void {
    const { log, parts } = this.#options;
    const seconds = formatDuration(Date.now() - this.#startedAt);
    const { needs } = part;
    if (needs && this.#awaited.has(needs.part)) {
      const reason = this.#failures.get(needs.part) || `${needs.part} failed`;
      this.#incomplete.add(part);
      log.warn(`${part.name} is not complete: ${reason}`);
      log.warn(needs.otherwise);
      return;
    }
    if (!this.#awaited.delete(part.name)) {
      log.say(`${part.name} is ready again`);
      return;
    }
    if (this.#awaited.size > 0) {
      log.say(`${part.name} is ready after ${seconds}`);
      return;
    }
    log.block(
      [
        `  Slipway is ready after ${seconds}`,
        addressTable(parts.flatMap(({ addresses }) => addresses)),
        '  Ctrl-C stops everything.',
      ].join('\n\n'),
    );
  }
}
