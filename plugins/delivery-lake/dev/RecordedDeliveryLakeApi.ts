import { ResponseError } from '@backstage/errors';
import type { SeriesInterval } from '@slipway/plugin-delivery-lake-common';
import type { LakeQuery } from '../src/api/DeliveryLakeApi';
import { FakeDeliveryLakeApi } from '../src/__testUtils__/FakeDeliveryLakeApi';
import {
  recordedDeployments,
  recordedChanges,
  recordedIncidents,
  recordedUnmatched,
} from './recordedRecords';
import {
  recordedImprovements,
  recordedMetrics,
  recordedParts,
  recordedSeries,
} from './recordedMetrics';

/** The values of `?state=`. */
const STATES = ['full', 'empty', 'loading', 'failing', 'denied'] as const;
type State = (typeof STATES)[number];

/** Returns whether a word is the name of a state. */
export function isState(word: string | null): word is State {
  return STATES.some(state => state === word);
}

/** An in-memory backend with half a year of deliveries, or in one of the other states. */
export class RecordedDeliveryLakeApi extends FakeDeliveryLakeApi {
  readonly #state: State;

  constructor(state: State) {
    super();
    this.#state = state;
    this.pageSize = 6;
    this.status = {
      ...this.status,
      deployments: state === 'empty' ? 0 : 1840,
      unmatchedServices: 2,
    };
    this.metrics = recordedMetrics();
    this.improvements = recordedImprovements();
    this.deployments = recordedDeployments();
    this.changes = recordedChanges();
    this.incidents = recordedIncidents();
    this.unmatched = recordedUnmatched();
    for (const name of ['search', 'identity', 'core']) {
      this.scopes.teams.push({
        name,
        title: name,
        entityRef: `group:default/${name}`,
      });
    }
  }

  async getStatus() {
    if (this.#state === 'denied') {
      throw await failure(403);
    }
    return super.getStatus();
  }

  async getMetrics(query: LakeQuery) {
    await this.#hold();
    return super.getMetrics(query);
  }

  async getSeries(query: LakeQuery & { interval: SeriesInterval }) {
    await this.#hold();
    this.series = recordedSeries(query.interval);
    return super.getSeries(query);
  }

  async getBreakdown(
    query: LakeQuery & { by: 'team' | 'project' | 'service' },
  ) {
    await this.#hold();
    this.parts = recordedParts(query.by);
    return super.getBreakdown(query);
  }

  async getImprovements(query: LakeQuery) {
    await this.#hold();
    return super.getImprovements(query);
  }

  async listDeployments(query: LakeQuery) {
    await this.#hold();
    return super.listDeployments(query);
  }

  async #hold(): Promise<void> {
    if (this.#state === 'loading') {
      await new Promise(() => {});
    }
    if (this.#state === 'failing') {
      throw await failure(500);
    }
  }
}

function failure(status: number): Promise<ResponseError> {
  return ResponseError.fromResponse(
    Response.json(
      {
        error: { name: 'Error', message: 'The database is not responding' },
        response: { statusCode: status },
      },
      { status, headers: { 'x-request-id': '4be2-91c7' } },
    ),
  );
}
