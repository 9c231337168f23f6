import type {
  Executor,
  ExecutorStatus,
  Place,
  PlaceRequest,
} from './Executor.ts';

/** Runs builds with an image in containers or pods, and all others as processes of this machine. */
export class Executors implements Executor {
  readonly #local: Executor;
  readonly #images: Executor;
  readonly #isForAll: boolean;

  /** @param options.isForAll - true if builds without an image run like those with one. */
  constructor(options: {
    local: Executor;
    images: Executor;
    isForAll: boolean;
  }) {
    this.#local = options.local;
    this.#images = options.images;
    this.#isForAll = options.isForAll;
  }

  get status(): ExecutorStatus {
    return (this.#isForAll ? this.#images : this.#local).status;
  }

  open(build: PlaceRequest): Promise<Place> {
    const { image } = build;
    const isLocal = image === undefined && !this.#isForAll;
    return (isLocal ? this.#local : this.#images).open(build);
  }

  async tidy(listOver: (ids: number[]) => Promise<number[]>): Promise<void> {
    await this.#local.tidy(listOver);
    await this.#images.tidy(listOver);
  }

  async sweep(isGone: (worker: string) => Promise<boolean>): Promise<void> {
    await this.#local.sweep(isGone);
    await this.#images.sweep(isGone);
  }

  async close(): Promise<void> {
    await this.#local.close?.();
  }
}
