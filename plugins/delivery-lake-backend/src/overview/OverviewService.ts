import { DiscoveryService } from '@backstage/backend-plugin-api';
import { isoOf } from '@slipway/entity-contract';
import {
  LakeStatusResponse,
  ScopesResponse,
  UnmatchedResponse,
  UnmatchedService,
} from '@slipway/plugin-delivery-lake-common';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { DeliveryLakeConfig } from '../config';
import { inBatches } from '../metrics/FiguresReader';
import { divide } from '../metrics/PartsReader';
import { scopeName } from '../scope/ScopeResolver';
import {
  DatabaseOverviewStore,
  LakeSize,
} from '../storage/DatabaseOverviewStore';
import { DatabaseServiceStore, LakeService } from '../storage/services';

/** Ratio of the time between computations to the time that one takes. */
const REST = 50;

/**
 * Caches a value that may be slow to compute. The slower it is, the less often it is recomputed, so
 * that computing takes only a small share of the time.
 */
export class PacedValue<T> {
  #value?: Promise<T>;
  #expires = 0;

  readonly #options: { read: () => Promise<T>; now: () => number };

  constructor(options: { read: () => Promise<T>; now: () => number }) {
    this.#options = options;
  }

  async get(): Promise<T> {
    const { read, now } = this.#options;
    const start = now();
    if (!this.#value || start >= this.#expires) {
      const value = read();
      this.#value = value;
      // Concurrent callers share this computation.
      this.#expires = Infinity;
      try {
        await value;
        this.#expires = now() + REST * (now() - start);
      } catch (error) {
        this.#value = undefined;
        throw error;
      }
    }
    return this.#value;
  }
}

const MAX_SERVICES = 100;
const MAX_INCIDENTS = 100;
const MAX_DELIVERIES = 50;
const SERVICES_AT_ONCE = 2;

/** Reports the contents of the lake, by scope, and the services that it cannot match. */
export class OverviewService {
  readonly #options: OverviewServiceOptions;
  readonly #size: PacedValue<LakeSize>;
  readonly #withoutChange: PacedValue<number>;

  constructor(options: OverviewServiceOptions) {
    this.#options = options;
    const { store, now = Date.now } = options;
    this.#size = new PacedValue({ read: () => store.size(), now });
    this.#withoutChange = new PacedValue({
      read: () => store.countDeploymentsWithoutChange(),
      now,
    });
  }

  /** `GET /scopes`. */
  async scopes(): Promise<ScopesResponse> {
    const { services, directory } = this.#options;
    const all = await services.list();
    const named = (kind: 'team' | 'project') =>
      divide(all, kind, directory)
        .map(({ name, title, entityRef }) => ({
          ...{ name, title },
          entityRef: entityRef ?? name,
        }))
        .sort((a, b) => a.title.localeCompare(b.title, 'en'));
    return {
      teams: named('team'),
      projects: named('project'),
      services: all.map(({ name, entityRef, team, project }) => ({
        ...{ name, entityRef },
        team: team && scopeName('team', team),
        project: project && scopeName('project', project),
      })),
    };
  }

  /** `GET /status`. */
  async status(): Promise<LakeStatusResponse> {
    const { store, config, discovery } = this.#options;
    const [size, unmatchedServices, sources, ingestUrl] = await Promise.all([
      this.#size.get(),
      store.countUnclaimedServices(),
      store.sources(),
      discovery.getExternalBaseUrl('delivery-lake'),
    ]);
    return {
      ...size,
      unmatchedServices,
      sources: sources.map(({ source, lastEventAt, events }) => ({
        source,
        lastEventAt: isoOf(lastEventAt),
        events,
      })),
      timeZone: config.timeZone,
      ingestUrl,
    };
  }

  /** `GET /unmatched`. */
  async unmatched(): Promise<UnmatchedResponse> {
    const { store } = this.#options;
    const [unclaimed, stray, deploymentsWithoutChange, deliveries] =
      await Promise.all([
        store.unclaimedServices(MAX_SERVICES),
        store.strayIncidents(MAX_INCIDENTS),
        this.#withoutChange.get(),
        store.unusedDeliveries(MAX_DELIVERIES),
      ]);
    const services = await inBatches(unclaimed, SERVICES_AT_ONCE, service =>
      this.#unmatchedService(service),
    );
    return {
      services: services.filter(service => service !== undefined),
      incidents: stray.incidents.map(({ startedAt, ...incident }) => ({
        ...incident,
        startedAt: isoOf(startedAt),
      })),
      totalIncidents: stray.total,
      deploymentsWithoutChange,
      deliveries: deliveries.map(({ receivedAt, ...delivery }) => ({
        ...delivery,
        receivedAt: isoOf(receivedAt),
      })),
    };
  }

  /** Describes an unmatched service. @returns undefined if the catalog knows it in the meantime. */
  async #unmatchedService({
    id,
    name,
  }: LakeService): Promise<UnmatchedService | undefined> {
    const found = this.#options.directory.find(name);
    if (found.match === 'known') {
      return undefined;
    }
    const { lastSeenAt, ...activity } =
      await this.#options.store.activityOf(id);
    return {
      name,
      ...activity,
      lastSeenAt: isoOf(lastSeenAt),
      reason: found.match,
      candidates: found.candidates,
    };
  }
}

/** Options of the service. */
interface OverviewServiceOptions {
  store: DatabaseOverviewStore;
  services: DatabaseServiceStore;
  directory: ServiceDirectory;
  config: DeliveryLakeConfig;
  /** Provides the URL of this API to show to senders. */
  discovery: DiscoveryService;
  /** Default: `Date.now`. */
  now?: () => number;
}
