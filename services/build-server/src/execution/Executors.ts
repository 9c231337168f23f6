import type {
  Executor,
  ExecutorStatus,
  Place,
  PlaceRequest,
} from './Executor.ts';

/** Runs builds with an image in containers, and all others as processes of this machine. */
export class Executors implements Executor {
  readonly #local: Executor;
  readonly #containers: Executor;

  constructor(options: { local: Executor; containers: Executor }) {
    this.#local = options.local;
    this.#containers = options.containers;
  }

  get status(): ExecutorStatus {
    return this.#local.status;
  }

  open(build: PlaceRequest): Promise<Place> {
    const { image } = build;
    return (image === undefined ? this.#local : this.#containers).open(build);
  }

  async tidy(listOver: (ids: number[]) => Promise<number[]>): Promise<void> {
    await this.#local.tidy(listOver);
    await this.#containers.tidy(listOver);
  }

  async sweep(isGone: (worker: string) => Promise<boolean>): Promise<void> {
    await this.#local.sweep(isGone);
    await this.#containers.sweep(isGone);
  }
}
