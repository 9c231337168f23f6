import type {
  Delivery,
  Destination,
  DestinationChanges,
  DestinationList,
  DestinationsApi,
  NewDestination,
  TestOutcome,
} from '../api/DestinationsApi';

/** {@link DestinationsApi} in memory. */
export class FakeDestinationsApi implements DestinationsApi {
  destinations: Destination[] = [];
  deliveries: Delivery[] = [];
  canCreate = true;
  /** The outcome of tests. */
  outcome: TestOutcome = {
    delivered: true,
    status: 200,
    error: null,
    duration_ms: 40,
  };
  /** The settings of created destinations. */
  readonly created: NewDestination[] = [];
  readonly changed: DestinationChanges[] = [];

  async getDestinations(): Promise<DestinationList> {
    return { destinations: this.destinations, can_create: this.canCreate };
  }

  async create(_projectId: string, settings: NewDestination) {
    this.created.push(settings);
    const { id, kind, events } = settings;
    const address = kind === 'webhook' ? settings.url : settings.endpoint;
    this.destinations = [
      ...this.destinations,
      destinationOf(id, { kind, address, ...(events && { events }) }),
    ];
    return kind === 'webhook' ? 's3cret-of-the-signature' : undefined;
  }

  async change(_projectId: string, id: string, changes: DestinationChanges) {
    if (
      this.destinations.some(each => each.id === changes.id && id !== each.id)
    ) {
      throw new Error(`The project has a destination ${changes.id}`);
    }
    this.changed.push(changes);
    this.destinations = this.destinations.map(({ events, ...each }) => {
      const next = changes.events === undefined ? events : changes.events;
      return each.id === id
        ? { ...each, id: changes.id ?? id, ...(next && { events: next }) }
        : { ...each, ...(events && { events }) };
    });
  }

  async pause(_projectId: string, id: string, paused: boolean) {
    this.destinations = this.destinations.map(each =>
      each.id === id ? { ...each, paused } : each,
    );
  }

  async remove(_projectId: string, id: string) {
    this.destinations = this.destinations.filter(each => each.id !== id);
  }

  async test(): Promise<TestOutcome> {
    const { delivered: _, ...outcome } = this.outcome;
    this.deliveries = [
      { at: new Date().toISOString(), events: 1, test: true, ...outcome },
      ...this.deliveries,
    ];
    return this.outcome;
  }

  async getDeliveries(): Promise<Delivery[]> {
    return this.deliveries;
  }
}

/** Builds a webhook that was created in the portal and has not received anything yet. */
export function destinationOf(
  id: string,
  more: Partial<Destination> = {},
): Destination {
  return {
    id,
    kind: 'webhook',
    address: 'https://crm.example.com',
    is_configured: false,
    is_readable: true,
    paused: false,
    delivered: 0,
    failures: 0,
    ...more,
  };
}
