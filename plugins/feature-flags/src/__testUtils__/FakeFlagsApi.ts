import { ResponseError } from '@backstage/errors';
import type {
  ApiToken,
  ContextField,
  Flag,
  FlagChanges,
  FlagEnvironment,
  FlagMetrics,
  FlagsApi,
  FlagUser,
  HistoryEvent,
  Interval,
  NewApiToken,
  NewFlag,
  NewSegment,
  Segment,
  TokenType,
  UsagePoint,
} from '../api/FlagsApi';

const HOUR_MS = 3_600_000;

/** A flag that is off, with whatever else is said. */
function aFlag(flag: Partial<Flag> & { name: string }): Flag {
  return {
    project: 'default',
    description: '',
    type: 'release',
    enabled: false,
    stale: false,
    strategies: [{ name: 'default', parameters: {} }],
    createdAt: '2026-11-01T10:00:00.000Z',
    updatedAt: '2026-11-20T10:00:00.000Z',
    archived: false,
    ...flag,
  };
}

/** The error of an answer that says no. */
function refusalOf(refusal: {
  status: number;
  message: string;
}): Promise<ResponseError> {
  const { status, message } = refusal;
  const body = { name: 'Error', message, details: [{ message }] };
  return ResponseError.fromResponse(
    Response.json(body, { status, headers: { 'x-request-id': 'req-42' } }),
  );
}

/** The service as an object in memory: tests change what it holds, pages read it. */
export class FakeFlagsApi implements FlagsApi {
  user: FlagUser = {
    mayChange: true,
    admins: ['group:default/platform-admins'],
    environment: 'development',
    clientUrl: 'http://localhost:4242/api',
  };
  flags: Flag[] = [
    aFlag({
      name: 'checkout',
      description: 'One step',
      enabled: true,
      strategies: [
        {
          name: 'gradualRolloutUserId',
          parameters: { percentage: '25', groupId: 'checkout' },
        },
      ],
    }),
    aFlag({ name: 'old-search', type: 'experiment', stale: true }),
  ];
  /** What the flags are in environments beside the service's own. */
  environments: FlagEnvironment[] = [
    { name: 'production', type: 'production', enabled: false, strategies: [] },
  ];
  segments: Segment[] = [];
  contextFields: ContextField[] = [
    { name: 'userId', legalValues: [] },
    { name: 'region', legalValues: [{ value: 'eu' }, { value: 'us' }] },
  ];
  portalFlags: Record<string, boolean> = {};
  metrics: FlagMetrics = {
    lastHourUsage: { yes: 30, no: 12 },
    seenApplications: ['web'],
  };
  usage: UsagePoint[] = Array.from({ length: 24 }, (_, index) => ({
    timestamp: new Date(Date.UTC(2026, 10, 20) + index * HOUR_MS).toISOString(),
    yes: index,
    no: 1,
  }));
  history: HistoryEvent[] = [];
  tokens: ApiToken[] = [];
  applications: string[] = [];
  readonly #refusals = new Map<keyof FlagsApi, ResponseError>();

  /** Makes every call of a method fail as an answer of the service would. */
  async refuse(
    method: keyof FlagsApi,
    refusal: { status: number; message: string },
  ): Promise<void> {
    this.#refusals.set(method, await refusalOf(refusal));
  }

  recover(): void {
    this.#refusals.clear();
  }

  async getPortalFlags(): Promise<Record<string, boolean>> {
    return this.#answer('getPortalFlags', this.portalFlags);
  }

  async getUser(): Promise<FlagUser> {
    return this.#answer('getUser', this.user);
  }

  async listFlags({ archived }: { archived: boolean }): Promise<Flag[]> {
    return this.#answer(
      'listFlags',
      this.flags.filter(flag => flag.archived === archived),
    );
  }

  async getFlag(name: string): Promise<Flag> {
    const flag = this.flags.find(one => one.name === name);
    if (!flag) {
      await this.refuse('getFlag', { status: 404, message: 'No such flag' });
    }
    return { ...this.#answer('getFlag', flag!), etag: this.#etagOf(flag!) };
  }

  async getEnvironments({
    name,
  }: Pick<Flag, 'name' | 'project'>): Promise<FlagEnvironment[]> {
    const flag = this.flags.find(one => one.name === name)!;
    const own = { ...flag, name: 'development', type: 'development' };
    return this.#answer('getEnvironments', [own, ...this.environments]);
  }

  async toggleEnvironment(
    _flag: Pick<Flag, 'name' | 'project'>,
    change: { environment: string; enabled: boolean },
  ): Promise<void> {
    this.#answer('toggleEnvironment', undefined);
    this.environments = this.environments.map(each =>
      each.name === change.environment
        ? { ...each, enabled: change.enabled }
        : each,
    );
  }

  async listSegments(): Promise<Segment[]> {
    return this.#answer('listSegments', this.segments);
  }

  async createSegment(segment: NewSegment): Promise<Segment> {
    const id = this.segments.length + 1;
    const created = this.#answer('createSegment', { ...segment, id });
    this.segments = [...this.segments, created];
    return created;
  }

  async updateSegment(
    id: number,
    changes: Partial<NewSegment>,
  ): Promise<Segment> {
    this.#answer('updateSegment', undefined);
    this.segments = this.segments.map(segment =>
      segment.id === id ? { ...segment, ...changes } : segment,
    );
    return this.segments.find(segment => segment.id === id)!;
  }

  async deleteSegment(id: number): Promise<void> {
    this.#answer('deleteSegment', undefined);
    this.segments = this.segments.filter(segment => segment.id !== id);
  }

  async listContextFields(): Promise<ContextField[]> {
    return this.#answer('listContextFields', this.contextFields);
  }

  async createFlag(flag: NewFlag): Promise<Flag> {
    const created = this.#answer('createFlag', aFlag(flag));
    this.flags = [...this.flags, created];
    return created;
  }

  async updateFlag(
    name: string,
    changes: FlagChanges,
    { etag }: { etag?: string } = {},
  ): Promise<Flag> {
    this.#answer('updateFlag', undefined);
    const flag = this.flags.find(one => one.name === name)!;
    if (etag !== undefined && etag !== this.#etagOf(flag)) {
      throw await refusalOf({ status: 412, message: 'Flag has changed' });
    }
    return this.#put(name, changes);
  }

  async toggleFlag(name: string, enabled: boolean): Promise<Flag> {
    this.#answer('toggleFlag', undefined);
    return this.#put(name, { enabled });
  }

  async archiveFlag(name: string): Promise<Flag> {
    this.#answer('archiveFlag', undefined);
    return this.#put(name, { archived: true });
  }

  async reviveFlag(name: string): Promise<Flag> {
    this.#answer('reviveFlag', undefined);
    return this.#put(name, { archived: false });
  }

  async getMetrics(): Promise<FlagMetrics> {
    return this.#answer('getMetrics', this.metrics);
  }

  async getUsage(
    _name: string,
    _query: { interval: Interval; count: number },
  ): Promise<UsagePoint[]> {
    return this.#answer('getUsage', this.usage);
  }

  async getRecentUsage(): Promise<Map<string, UsagePoint[]>> {
    return this.#answer('getRecentUsage', new Map([['checkout', this.usage]]));
  }

  async getHistory(): Promise<HistoryEvent[]> {
    return this.#answer('getHistory', this.history);
  }

  async listTokens(): Promise<ApiToken[]> {
    return this.#answer('listTokens', this.tokens);
  }

  async createToken(token: {
    tokenName: string;
    type: TokenType;
  }): Promise<NewApiToken> {
    const made: ApiToken = {
      ...token,
      id: `token-${this.tokens.length}`,
      projects: ['*'],
      environment: 'development',
      createdBy: 'user:default/ada',
      createdAt: '2026-11-20T10:00:00.000Z',
    };
    this.tokens = [this.#answer('createToken', made), ...this.tokens];
    return { ...made, secret: '*:development.a-secret' };
  }

  async deleteToken(id: string): Promise<void> {
    this.#answer('deleteToken', undefined);
    this.tokens = this.tokens.filter(token => token.id !== id);
  }

  async listApplications(): Promise<string[]> {
    return this.#answer('listApplications', this.applications);
  }

  /** Any change makes another one. */
  #etagOf(flag: Flag): string {
    return JSON.stringify(flag);
  }

  #put(name: string, changes: Partial<Flag>): Flag {
    this.flags = this.flags.map(flag =>
      flag.name === name ? { ...flag, ...changes } : flag,
    );
    return this.flags.find(flag => flag.name === name)!;
  }

  #answer<T>(method: keyof FlagsApi, answer: T): T {
    const refusal = this.#refusals.get(method);
    if (refusal) {
      throw refusal;
    }
    return answer;
  }
}
