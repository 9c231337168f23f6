import { ServiceDirectory, ServiceMatch } from '../../catalog/ServiceDirectory';
import { Deriver } from '../../derivation/Deriver';

/** Remembers what it was asked to derive. */
export class FakeDeriver implements Deriver {
  readonly drained: (number[] | 'all')[] = [];

  async drain(serviceIds?: number[]): Promise<void> {
    this.drained.push(serviceIds ?? 'all');
  }

  async rebuild(): Promise<void> {
    throw new Error('Nothing is rebuilt by reading');
  }
}

/** Knows the components that it is given, by name. */
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
