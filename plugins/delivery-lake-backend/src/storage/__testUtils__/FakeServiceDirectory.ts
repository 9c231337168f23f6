import {
  ServiceDirectory,
  ServiceMatch,
  ServiceOwnership,
} from '../../catalog/ServiceDirectory';

/** A service directory of a few components, by plain name. */
export class FakeServiceDirectory implements ServiceDirectory {
  readonly owners = new Map<string, ServiceOwnership>();
  readonly #listeners: (() => Promise<void>)[] = [];

  /** Assigns a service to a team, and notifies listeners. */
  async own(name: string, team: string): Promise<void> {
    this.owners.set(name, {
      entityRef: `component:default/${name}`,
      team: `group:default/${team}`,
      project: 'system:default/shop',
    });
    await this.refresh();
  }

  find(name: string): ServiceMatch {
    const ownership = this.owners.get(name);
    return ownership
      ? { match: 'known', ownership }
      : { match: 'unknown', candidates: [] };
  }

  titleOf(entityRef: string): string {
    return entityRef;
  }

  onChange(listener: () => Promise<void>): void {
    this.#listeners.push(listener);
  }

  async refresh(): Promise<void> {
    for (const listener of this.#listeners) {
      await listener();
    }
  }
}
