import type {
  CapturedEvent,
  Credential,
  Definition,
  DefinitionKind,
  DefinitionList,
  DefinitionNotes,
  EventsApi,
  EventsQuery,
  HogqlQuery,
  Ingestion,
  NewCredential,
  Project,
  ProjectChanges,
  ProjectList,
  QueryResult,
  TableQuery,
} from '../api/EventsApi';

/** Implements {@link EventsApi} with data that a test sets. */
export class FakeEventsApi implements EventsApi {
  events: CapturedEvent[] = [
    eventOf('signed up', { plan: 'pro', $pathname: '/welcome' }),
    eventOf('bought', { price: 9.5 }),
  ];
  /** Events that are too old for the list of live events. */
  older: CapturedEvent[] = [];
  credentials: Credential[] = [
    {
      id: 'key_1',
      kind: 'capture',
      name: 'development',
      hint: '_key',
      key: 'phc_test_key',
      isConfigured: true,
      createdAt: '2026-11-21T10:00:00.000Z',
    },
  ];
  mayManage = true;
  projects: Project[] = [
    projectOf('default', { name: 'Default', isConfigured: true }),
    projectOf('portal', {
      name: 'Slipway portal',
      hidesPeople: true,
      isConfigured: true,
    }),
  ];
  definitions: Record<DefinitionKind, Definition[]> = {
    event: [],
    event_property: [],
    person: [],
  };
  ingestion: Ingestion = ingestionOf();
  /** All received queries, except those for names and live events. */
  readonly asked: EventsQuery[] = [];
  /** All received queries in HogQL. */
  readonly askedSql: HogqlQuery[] = [];
  /** The error with which queries reject, instead of returning a table. */
  failure: Error | undefined;

  async getProjects(): Promise<ProjectList> {
    return {
      projects: this.projects,
      engine: 'chdb',
      mayManage: this.mayManage,
    };
  }

  async query(_projectId: string, query: TableQuery): Promise<QueryResult> {
    if (query.kind === 'HogQLQuery') {
      this.askedSql.push(query);
    }
    if (this.failure) {
      throw this.failure;
    }
    if (query.kind === 'HogQLQuery') {
      return {
        columns: ['event', 'total'],
        rows: this.events.map(({ event }, index) => [event, 40 - index]),
        hasMore: false,
      };
    }
    if (query.select[0] === '*') {
      const [where] = query.where ?? [];
      const rows = (
        where === undefined ? this.events : [...this.events, ...this.older]
      )
        .filter(({ event }) => !query.event || event === query.event)
        .filter(({ uuid }) => where === undefined || where.includes(uuid))
        .map(event => [event]);
      return { columns: ['*'], rows, hasMore: false };
    }
    if (query.event === '$pageview' || query.after === '-5M') {
      return webAnswer(query);
    }
    if (query.after !== '-30d') {
      this.asked.push(query);
    }
    return {
      columns: query.select,
      rows: this.events.map(({ event }) => [
        event,
        ...query.select.slice(1).map(() => 1),
      ]),
      hasMore: false,
    };
  }

  async getCredentials(): Promise<Credential[]> {
    return this.credentials;
  }

  async getIngestion(): Promise<Ingestion> {
    return this.ingestion;
  }

  async getDefinitions(
    _projectId: string,
    { kind, search }: { kind: DefinitionKind; search: string },
  ): Promise<DefinitionList> {
    if (this.failure) {
      throw this.failure;
    }
    const definitions = this.definitions[kind].filter(({ name }) =>
      name.includes(search),
    );
    return { definitions, count: definitions.length };
  }

  async changeDefinition(
    _projectId: string,
    { kind, id }: { kind: DefinitionKind; id: string },
    notes: DefinitionNotes,
  ) {
    this.definitions[kind] = this.definitions[kind].map(each =>
      each.id === id ? { ...each, ...notes } : each,
    );
  }

  async createProject({ id, name }: { id: string; name: string }) {
    if (this.projects.some(each => each.id === id)) {
      throw new Error(`The project ${id} already exists`);
    }
    this.projects = [...this.projects, projectOf(id, { name })];
  }

  async changeProject(id: string, changes: ProjectChanges) {
    if (this.failure) {
      throw this.failure;
    }
    this.projects = this.projects.map(each =>
      each.id === id ? { ...each, ...changes } : each,
    );
  }

  async rotateCredential(_projectId: string, id: string): Promise<string> {
    this.credentials = this.credentials.map(each =>
      each.id === id ? { ...each, id: `${id} again` } : each,
    );
    return 'phx_fresh';
  }

  async createCredential(
    _projectId: string,
    credential: NewCredential,
  ): Promise<string> {
    this.credentials = [
      {
        ...credential,
        id: 'key_2',
        hint: 'cret',
        isConfigured: false,
        createdAt: '2026-11-21T10:00:00.000Z',
      },
      ...this.credentials,
    ];
    return 'phc_secret';
  }

  async revokeCredential(_projectId: string, id: string): Promise<void> {
    this.credentials = this.credentials.filter(each => each.id !== id);
  }
}

/** Builds the statistics of a quiet project: four events per minute, none lost. */
export function ingestionOf(more: Partial<Ingestion> = {}): Ingestion {
  const now = Date.now();
  return {
    lastEventAt: new Date(now - 4_000).toISOString(),
    received: 5_760,
    repeated: 12,
    repaired: 0,
    minutes: Array.from({ length: 60 }, (_, index) => ({
      at: new Date(now - (59 - index) * 60_000).toISOString(),
      received: 4 + (index % 7),
    })),
    lag: { events: 0, oldestAt: null },
    deferred: 0,
    deferredLimit: 100_000,
    dropped: [],
    ...more,
  };
}

/** Builds a project that was created in the portal. */
export function projectOf(id: string, more: Partial<Project> = {}): Project {
  return {
    id,
    name: id,
    hidesPeople: false,
    isConfigured: false,
    timeZone: 'UTC',
    weekStart: 'sunday',
    retentionDays: null,
    testAccounts: { filters: [], isDefault: false },
    ...more,
  };
}

/** Builds a definition of an event or property that was seen today. */
export function definitionOf(
  name: string,
  more: Partial<Definition> = {},
): Definition {
  return {
    id: `id of ${name}`,
    name,
    description: '',
    owner: null,
    verified: false,
    hidden: false,
    created_at: '2026-11-01T10:00:00.000Z',
    last_seen_at: new Date().toISOString(),
    volume_30_day: 10,
    used_by_insights: 0,
    ...more,
  };
}

/** Builds an event that just happened. */
export function eventOf(
  event: string,
  properties: Record<string, unknown>,
): CapturedEvent {
  const at = new Date().toISOString();
  return {
    uuid: crypto.randomUUID(),
    event,
    distinct_id: 'user-1',
    timestamp: at,
    created_at: at,
    properties,
  };
}

const VALUES = {
  referring: ['$direct', 'news.example.com', 'search.example.com'],
  geoip: ['DE', 'GB', 'Mars'],
  device_type: ['Desktop', 'Mobile', 'Tablet'],
  browser: ['Chrome', 'Safari', 'Firefox'],
  $os: ['Windows', 'iOS', 'Android'],
  pathname: ['/', '/pricing', '/blog/hello-world'],
};

/** Returns visits, in the shape that the web overview queries. */
function webAnswer({ select }: EventsQuery): QueryResult {
  const names =
    Object.entries(VALUES).find(([text]) => select[0].includes(text))?.[1] ??
    VALUES.pathname;
  return {
    columns: select,
    rows:
      select.length === 1
        ? [[4]]
        : names.map((name, index) => [
            name,
            120 - 40 * index,
            300 - 90 * index,
          ]),
    hasMore: false,
  };
}
