import { ResponseError } from '@backstage/errors';
import type {
  DiscoveryApi,
  FetchApi,
  IdentityApi,
} from '@backstage/frontend-plugin-api';
import {
  type DimensionAnswer,
  type SpaceAnswer,
  readReport,
  readValues,
} from './readReport';
import {
  type FrictionAnswer,
  type ReminderAnswer,
  readFriction,
  readReminder,
} from './readAnswers';
import type { CallOptions, SpaceApi, SpaceQuery } from './SpaceApi';
import type {
  Assessment,
  AssessmentForm,
  DimensionName,
  DimensionReport,
  Friction,
  Granularity,
  LoadReceipt,
  PersonalRecords,
  Pulse,
  Reminder,
  ReminderChange,
  TopFriction,
  Values,
} from './types';

interface Call extends CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  query?: Record<string, string | undefined>;
  body?: object;
}

/** {@link SpaceApi} over HTTP: through the portal's proxy, with its session. */
export class SpaceClient implements SpaceApi {
  readonly #discoveryApi: DiscoveryApi;
  readonly #fetchApi: FetchApi;
  readonly #identityApi: IdentityApi;

  constructor(options: {
    discoveryApi: DiscoveryApi;
    fetchApi: FetchApi;
    identityApi: IdentityApi;
  }) {
    this.#discoveryApi = options.discoveryApi;
    this.#fetchApi = options.fetchApi;
    this.#identityApi = options.identityApi;
  }

  async getTeams(options?: CallOptions): Promise<string[]> {
    const { teams } = await this.#json<{ teams: { name: string }[] }>(
      '/teams',
      options,
    );
    return teams.map(({ name }) => name);
  }

  async getValues(query: SpaceQuery, options?: CallOptions): Promise<Values> {
    const answer = await this.#json<SpaceAnswer>('/metrics/space', {
      ...options,
      query: parametersOf(query),
    });
    return readValues(answer);
  }

  async getDimension(
    name: DimensionName,
    query: SpaceQuery & { granularity: Granularity },
    options?: CallOptions,
  ): Promise<DimensionReport> {
    const { granularity } = query;
    const answer = await this.#json<DimensionAnswer>(`/metrics/space/${name}`, {
      ...options,
      query: { ...parametersOf(query), granularity },
    });
    return readReport(answer);
  }

  async getTopFriction(
    query: SpaceQuery,
    options?: CallOptions,
  ): Promise<TopFriction> {
    const answer = await this.#json<FrictionAnswer>('/friction-log/top', {
      ...options,
      query: { ...parametersOf(query), limit: '100' },
    });
    return readFriction(answer);
  }

  async getAssessmentForm(options?: CallOptions): Promise<AssessmentForm> {
    return this.#json('/cognitive-load/assessment', options);
  }

  async getReminder(options?: CallOptions): Promise<Reminder> {
    const answer = await this.#json<ReminderAnswer>(
      '/surveys/pulse/reminder',
      options,
    );
    return readReminder(answer);
  }

  async changeReminder(change: ReminderChange): Promise<Reminder> {
    const { snoozedUntil, optedOut } = change;
    const answer = await this.#json<ReminderAnswer>('/surveys/pulse/reminder', {
      method: 'PUT',
      body: { snoozed_until: snoozedUntil, opted_out: optedOut },
    });
    return readReminder(answer);
  }

  async submitPulse(pulse: Pulse): Promise<void> {
    const { satisfaction, productivity, ...others } = pulse;
    await this.#submit('/surveys/pulse/submit', {
      responses: {
        overall_satisfaction: satisfaction,
        productivity_this_week: productivity,
        ...others,
      },
    });
  }

  async submitFriction(friction: Friction): Promise<void> {
    const { minutesLost, ...others } = friction;
    await this.#submit('/friction-log/submit', {
      ...others,
      time_lost_minutes: minutesLost,
    });
  }

  async submitAssessment(assessment: Assessment): Promise<LoadReceipt> {
    const answer = await this.#submit<{ cognitive_load_index: number }>(
      '/cognitive-load/submit',
      assessment,
    );
    return { cognitiveLoadIndex: answer.cognitive_load_index };
  }

  async getMyRecords(
    options?: CallOptions,
  ): Promise<PersonalRecords | undefined> {
    try {
      return await this.#json<PersonalRecords>(await this.#myPath(), options);
    } catch (error) {
      if (error instanceof ResponseError && error.response.status === 404) {
        return undefined;
      }
      throw error;
    }
  }

  async eraseMyRecords(): Promise<void> {
    await this.#json(await this.#myPath(), { method: 'DELETE' });
  }

  async #myPath(): Promise<string> {
    return `/people/${encodeURIComponent(await this.#userId())}`;
  }

  async #userId(): Promise<string> {
    const { userEntityRef } = await this.#identityApi.getBackstageIdentity();
    return userEntityRef;
  }

  /** The contract wants `user_id`; the service believes the session alone. */
  async #submit<T>(path: string, body: object): Promise<T> {
    const user_id = await this.#userId();
    return this.#json(path, { method: 'POST', body: { user_id, ...body } });
  }

  async #json<T>(path: string, call: Call = {}): Promise<T> {
    const { method, query = {}, body, signal } = call;
    const proxy = await this.#discoveryApi.getBaseUrl('proxy');
    const url = new URL(`${proxy}/space-metrics/api/v1${path}`);
    for (const [key, value] of Object.entries(query)) {
      if (value) {
        url.searchParams.set(key, value);
      }
    }
    const response = await this.#fetchApi.fetch(url, {
      method,
      signal,
      ...(body && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    if (!response.ok) {
      throw await ResponseError.fromResponse(response);
    }
    return response.json();
  }
}

function parametersOf(query: SpaceQuery): Call['query'] {
  const { team, startDate, endDate } = query;
  return { team, start_date: startDate, end_date: endDate };
}
