import type {
  DiscoveryApi,
  FetchApi,
  IdentityApi,
} from '@backstage/frontend-plugin-api';
import {
  type CallOptions,
  isMissing,
  type ServiceCall,
  ServiceClient,
} from '@slipway/app-react';
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
  SpaceApi,
  SpaceQuery,
  TopFriction,
  Values,
} from './SpaceApi';
import {
  type DimensionAnswer,
  type FrictionAnswer,
  readFriction,
  readReminder,
  readReport,
  readValues,
  type ReminderAnswer,
  type SpaceAnswer,
} from './answers';

/** {@link SpaceApi} over HTTP: through the portal's proxy, with its session. */
export class SpaceClient implements SpaceApi {
  readonly #service: ServiceClient;
  readonly #identityApi: IdentityApi;

  constructor(options: {
    discoveryApi: DiscoveryApi;
    fetchApi: FetchApi;
    identityApi: IdentityApi;
  }) {
    const path = '/space-metrics/api/v1';
    this.#service = new ServiceClient({ ...options, path });
    this.#identityApi = options.identityApi;
  }

  async getTeams(options?: CallOptions): Promise<string[]> {
    const { teams } = await this.#service.json<{ teams: { name: string }[] }>(
      '/teams',
      options,
    );
    return teams.map(({ name }) => name);
  }

  async getValues(query: SpaceQuery, options?: CallOptions): Promise<Values> {
    const answer = await this.#service.json<SpaceAnswer>('/metrics/space', {
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
    const answer = await this.#service.json<DimensionAnswer>(
      `/metrics/space/${name}`,
      {
        ...options,
        query: { ...parametersOf(query), granularity },
      },
    );
    return readReport(answer);
  }

  async getTopFriction(
    query: SpaceQuery,
    options?: CallOptions,
  ): Promise<TopFriction> {
    const answer = await this.#service.json<FrictionAnswer>(
      '/friction-log/top',
      {
        ...options,
        query: { ...parametersOf(query), limit: '100' },
      },
    );
    return readFriction(answer);
  }

  async getAssessmentForm(options?: CallOptions): Promise<AssessmentForm> {
    return this.#service.json('/cognitive-load/assessment', options);
  }

  async getReminder(options?: CallOptions): Promise<Reminder> {
    const answer = await this.#service.json<ReminderAnswer>(
      '/surveys/pulse/reminder',
      options,
    );
    return readReminder(answer);
  }

  async changeReminder(change: ReminderChange): Promise<Reminder> {
    const { snoozedUntil, optedOut } = change;
    const answer = await this.#service.json<ReminderAnswer>(
      '/surveys/pulse/reminder',
      {
        method: 'PUT',
        body: { snoozed_until: snoozedUntil, opted_out: optedOut },
      },
    );
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
      return await this.#service.json<PersonalRecords>(
        await this.#myPath(),
        options,
      );
    } catch (error) {
      if (isMissing(error)) {
        return undefined;
      }
      throw error;
    }
  }

  async eraseMyRecords(): Promise<void> {
    await this.#service.json(await this.#myPath(), { method: 'DELETE' });
  }

  async #myPath(): Promise<string> {
    return `/people/${encodeURIComponent(await this.#userId())}`;
  }

  async #userId(): Promise<string> {
    const { userEntityRef } = await this.#identityApi.getBackstageIdentity();
    return userEntityRef;
  }

  /**
   * Submits as the signed-in user. The contract requires `user_id`, but the service only trusts
   * the session.
   */
  async #submit<T>(path: string, body: object): Promise<T> {
    const user_id = await this.#userId();
    return this.#service.json(path, {
      method: 'POST',
      body: { user_id, ...body },
    });
  }
}

function parametersOf(query: SpaceQuery): ServiceCall['query'] {
  const { team, startDate, endDate } = query;
  return { team, start_date: startDate, end_date: endDate };
}
