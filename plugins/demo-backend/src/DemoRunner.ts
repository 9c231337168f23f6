import { LoggerService } from '@backstage/backend-plugin-api';
import { ConflictError } from '@backstage/errors';
import type { DemoPart, PartContext } from './parts/DemoPart';
import { Progress } from './Progress';
import type { PlatformClient } from './platform/PlatformClient';
import type { DatabaseDemoState, DemoState } from './storage/DatabaseDemoState';
import { type Showcase, tellStory } from './story/Story';

/** Work without a heartbeat for this long has died with its process. */
const LOST_AFTER_MS = 90_000;

/** The requesting user, with the credentials used for the work. */
export interface Request {
  by: string;
  platform: PlatformClient;
}

/** Dependencies of {@link DemoRunner}. */
interface DemoRunnerOptions {
  parts: readonly DemoPart[];
  state: DatabaseDemoState;
  logger: LoggerService;
  /** The URL of the portal's pages. */
  appUrl: string;
  /** People who join the team Checkout in addition to the user who loads the demo. */
  guests: readonly string[];
  showcase?: Showcase;
  now: () => number;
}

/** Loads and removes the demo organisation in the background. */
export class DemoRunner {
  readonly #options: DemoRunnerOptions;
  #work: Promise<void> = Promise.resolve();

  constructor(
    options: Omit<DemoRunnerOptions, 'now'> & { now?: () => number },
  ) {
    this.#options = { now: Date.now, ...options };
  }

  /** Reads the state of the demo organisation. @returns undefined if there is none. */
  async state(): Promise<DemoState | undefined> {
    const state = await this.#options.state.read();
    return state && this.#isLost(state)
      ? {
          ...state,
          phase: 'failed',
          error: 'The portal stopped before it was done',
        }
      : state;
  }

  /**
   * Starts loading in the background.
   *
   * @throws ConflictError if a demo organisation exists, including one that failed to load.
   */
  async load(request: Request): Promise<DemoState> {
    const seen = await this.state();
    if (seen) {
      throw new ConflictError(
        seen.phase === 'failed'
          ? 'The demo organisation was only partly loaded; remove it first'
          : `The demo organisation is ${seen.phase}`,
      );
    }
    return this.#start('loading', request, undefined);
  }

  /**
   * Starts removing in the background, even if no demo organisation is recorded, so that nothing
   * can be left behind.
   *
   * @throws ConflictError while it is being loaded or removed.
   */
  async remove(request: Request): Promise<DemoState> {
    const seen = await this.#options.state.read();
    if (seen && isWorking(seen) && !this.#isLost(seen)) {
      throw new ConflictError(`The demo organisation is ${seen.phase}`);
    }
    return this.#start('removing', request, seen);
  }

  /** Resolves when the current work has ended. */
  settled(): Promise<void> {
    return this.#work;
  }

  #isLost(state: DemoState): boolean {
    return (
      isWorking(state) && this.#options.now() - state.updatedAt > LOST_AFTER_MS
    );
  }

  async #start(
    phase: 'loading' | 'removing',
    request: Request,
    seen: DemoState | undefined,
  ): Promise<DemoState> {
    const now = this.#options.now();
    const begun: DemoState = {
      phase,
      startedBy: request.by,
      startedAt: now,
      updatedAt: now,
      steps: this.#options.parts.map(({ id, title }) => ({
        id,
        title,
        status: 'waiting',
        done: 0,
        total: 0,
      })),
      error: null,
    };
    if (!(await this.#options.state.begin(begun, seen))) {
      throw new ConflictError('Someone else has just started it');
    }
    this.#work = this.#run(begun, request);
    return begun;
  }

  async #run(begun: DemoState, { by, platform }: Request): Promise<void> {
    const { state, logger, now, parts, appUrl, guests, showcase } =
      this.#options;
    const progress = new Progress(begun, { state, now, logger });
    const story = tellStory({
      now: begun.startedAt,
      guests: [...new Set([by, ...guests])],
      showcase,
    });
    const work = async (part: DemoPart) => {
      const context: PartContext = {
        platform,
        story,
        appUrl,
        onProgress: (done, total) => progress.step(part.id, { done, total }),
      };
      progress.step(part.id, { status: 'running' });
      try {
        await (begun.phase === 'loading'
          ? part.load(context)
          : part.remove(context));
        progress.step(part.id, { status: 'done' });
      } catch (error) {
        progress.step(part.id, { status: 'failed' });
        throw new Error(`${part.title}: ${(error as Error).message}`, {
          cause: error,
        });
      }
    };
    try {
      await workTogether(parts, begun.phase, work);
      await progress.end();
      if (begun.phase === 'loading') {
        await state.write(progress.state('loaded'));
      } else {
        await state.clear();
      }
    } catch (error) {
      const { message } = error as Error;
      logger.error(`The demo organisation failed: ${message}`);
      await progress.end();
      await state
        .write({ ...progress.state('failed'), error: message })
        .catch(() => {});
    }
  }
}

function isWorking({ phase }: DemoState): boolean {
  return phase === 'loading' || phase === 'removing';
}

/** Runs the work of all parts in parallel. A failed part does not stop the others. */
async function workTogether(
  parts: readonly DemoPart[],
  phase: DemoState['phase'],
  work: (part: DemoPart) => Promise<void>,
): Promise<void> {
  const isLast = (part: DemoPart) =>
    phase === 'removing' && part.isRemovedLast === true;
  const results = [
    ...(await Promise.allSettled(
      parts.filter(part => !isLast(part)).map(work),
    )),
    ...(await Promise.allSettled(parts.filter(isLast).map(work))),
  ];
  const failed = results.flatMap(result =>
    result.status === 'rejected' ? [result.reason as Error] : [],
  );
  if (failed.length > 0) {
    throw new Error(failed.map(({ message }) => message).join('; '));
  }
}
