import { ServiceDirectory, ServiceMatch } from '../../catalog/ServiceDirectory';
import { Deriver } from '../../derivation/Deriver';

/** Records the requested derivations. */
export class FakeDeriver implements Deriver {
  readonly drained: (number[] | 'all')[] = [];

  async drain(serviceIds?: number[]): Promise<void> {
    this.drained.push(serviceIds ?? 'all');
  }

  async rebuild(): Promise<void> {
    throw new Error('Nothing is rebuilt by reading');
  }
}

/** A service directory with the given components, by name. */
export class FakeDirectory implements ServiceDirectory {
  readonly #matches: Record<string, ServiceMatch>;

  constructor(matches: Record<string, ServiceMatch> = {}) {
    this.#matches = matches;
  }

  find(name: string): ServiceMatch {
    return this.#matches[name] ?? { match: 'unknown', candidates: [] };
  }

  titleOf(entityRef: string): string {
    return `Title of ${entityRef}`;
  }

  onChange(): void {}

  async refresh(): Promise<void> {}
}
