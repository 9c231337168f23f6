import { ResponseError } from '@backstage/errors';
import { type ServiceRevision, toErrorEnvelope } from '@slipway/app-react';
import type { FlagsApi } from '../api/FlagsApi';
import type { ChangeRequest } from '../api/changeRequests';
import type { CleanUpFlag, CodeReference } from '../api/cleanUp';
import type { Flag, FlagEnvironment } from '../api/flags';
import type { HistoryEvent } from '../api/history';
import type { StageEntry } from '../api/lifecycle';
import type {
  NoticeChannel,
  NoticeDelivery,
  TestOutcome,
} from '../api/notices';
import type { TableQuery, TryOut } from '../api/playground';
import type {
  ContextField,
  Environment,
  Project,
  TagType,
} from '../api/registers';
import type { Schedule } from '../api/schedules';
import type { Segment } from '../api/segments';
import type { ApiToken } from '../api/tokens';
import type { FlagExport, ImportReport, TransferPlace } from '../api/transfer';
import type {
  Application,
  ApplicationUsage,
  FlagMetrics,
  OutdatedSdk,
  UnknownFlag,
  UsagePoint,
} from '../api/usage';
import type { FlagUser } from '../api/user';

const HOUR_MS = 3_600_000;

/** Creates a flag, by default one that is off. */
export function aFlag(flag: Partial<Flag> & { name: string }): Flag {
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
    impressionData: false,
    ...flag,
  };
}

/** The entity tag of a flag; any change makes a different one. */
export function etagOf(flag: Flag): string {
  return JSON.stringify(flag);
}

/** Returns the error of a response that rejects a call. */
export async function refusalOf(refusal: {
  status: number;
  message: string;
}): Promise<ResponseError> {
  const { status, message } = refusal;
  const body = { name: 'Error', message, details: [{ message }] };
  const response = Response.json(body, {
    status,
    headers: { 'x-request-id': 'req-42' },
  });
  return ResponseError.fromResponse(await toErrorEnvelope(response));
}

/** The state of the fake service, and its failing calls: tests change it, pages read it. */
export class FakeState {
  user: FlagUser = {
    mayChange: true,
    projects: ['default'],
    admins: ['group:default/platform-admins'],
    environment: 'development',
    clientUrl: 'http://localhost:4242/api',
  };
  flags: Flag[] = [
    aFlag({
      name: 'checkout',
      description: 'One step',
      enabled: true,
      tags: [{ type: 'simple', value: 'shop' }],
      strategies: [
        {
          name: 'gradualRolloutUserId',
          parameters: { percentage: '25', groupId: 'checkout' },
        },
      ],
    }),
    aFlag({ name: 'old-search', type: 'experiment', stale: true }),
  ];
  /** The state of every flag in production. */
  production: FlagEnvironment = {
    name: 'production',
    type: 'production',
    protected: false,
    enabled: false,
    strategies: [],
    variants: [],
    etag: '"1"',
  };
  /** The environments other than development and production. */
  environments: Environment[] = [];
  projects: Project[] = [
    { id: 'default', name: 'Default', owner: 'group:default/shop' },
  ];
  requests: ChangeRequest[] = [];
  schedules: Schedule[] = [];
  tryOutResult: TryOut = {
    enabled: true,
    variant: { name: 'disabled', enabled: false },
    reason: 'matching rule',
    random: false,
    strategies: [
      {
        id: '1',
        name: 'gradualRolloutUserId',
        title: null,
        disabled: false,
        enabled: true,
        rollout: true,
        constraints: [],
        segments: [],
      },
    ],
    dependencies: [],
    simulation: { users: 1_000, enabled: 251, variants: {} },
  };
  /** The queries of the playground. */
  readonly evaluated: TableQuery[] = [];
  /** The variants that the playground returns, by flag. */
  readonly variants = new Map<string, string>();
  /** The flags whose results are random in the playground. */
  readonly random = new Set<string>();
  /** The changes that were rolled back. */
  readonly rolledBack: number[] = [];
  applicationUsage: ApplicationUsage[] = [
    {
      appName: 'web',
      environment: 'development',
      yes: 30,
      no: 12,
      variants: { red: 20 },
      lastHour: '2026-11-20T10:00:00.000Z',
    },
  ];
  /** The stages after the first one, by flag. */
  readonly stages = new Map<string, StageEntry[]>([
    [
      'checkout',
      [{ stage: 'live', enteredStageAt: '2026-11-10T10:00:00.000Z' }],
    ],
  ]);
  /** Callbacks of the pages that follow changes. */
  readonly followers = new Set<(revision: ServiceRevision) => void>();
  /** Resolves with the age of the last change when pages can follow changes. */
  connected: Promise<number> = Promise.resolve(60_000);
  segments: Segment[] = [];
  contextFields: ContextField[] = [
    { name: 'userId', legalValues: [] },
    { name: 'region', legalValues: [{ value: 'eu' }, { value: 'us' }] },
  ];
  tagTypes: TagType[] = [
    { name: 'simple', description: '', icon: '', color: null },
    { name: 'team', description: 'Who owns it', icon: 'T', color: '#0a7ea4' },
  ];
  metrics: FlagMetrics = {
    lastHourUsage: { yes: 30, no: 12 },
    seenApplications: ['web'],
  };
  /** The usage of each environment. */
  usageIn = new Map<string, UsagePoint[]>();
  /** The usage of all environments. */
  usage: UsagePoint[] = Array.from({ length: 24 }, (_, index) => ({
    timestamp: new Date(Date.UTC(2026, 10, 20) + index * HOUR_MS).toISOString(),
    yes: index,
    no: 1,
  }));
  history: HistoryEvent[] = [];
  tokens: ApiToken[] = [];
  cleanUp: CleanUpFlag[] = [];
  references: CodeReference[] = [];
  channels: NoticeChannel[] = [];
  deliveries: NoticeDelivery[] = [];
  testOutcome: TestOutcome = { delivered: true, error: null };
  applications: Application[] = [];
  unknownFlags: UnknownFlag[] = [];
  outdatedSdks: OutdatedSdk[] = [];
  /** The result of an import. */
  importReport: ImportReport = {
    errors: [],
    warnings: [],
    etag: '"report"',
    changes: {
      environments: [],
      projects: [],
      contextFields: [],
      segments: [],
      created: [],
      updated: [],
      unchanged: [],
    },
  };
  readonly imported: FlagExport[] = [];
  /** The project and environment of the latest import or preview. */
  importPlace: TransferPlace = {};
  readonly exported: TransferPlace[] = [];
  readonly #refusals = new Map<keyof FlagsApi, ResponseError>();

  /** Makes every call of a method fail, as with an error response of the service. */
  async refuse(
    method: keyof FlagsApi,
    refusal: { status: number; message: string },
  ): Promise<void> {
    this.#refusals.set(method, await refusalOf(refusal));
  }

  recover(): void {
    this.#refusals.clear();
  }

  /** Changes a flag on behalf of another user. */
  put(name: string, changes: Partial<Flag>): Flag {
    this.flags = this.flags.map(flag =>
      flag.name === name ? { ...flag, ...changes } : flag,
    );
    return this.flags.find(flag => flag.name === name)!;
  }

  /** Rejects if the flag no longer has the given entity tag. */
  async assertUnchanged(name: string, etag: string | undefined): Promise<void> {
    const flag = this.flags.find(one => one.name === name)!;
    if (etag !== undefined && etag !== etagOf(flag)) {
      throw await refusalOf({ status: 412, message: 'Flag has changed' });
    }
  }

  /** Returns the result of a call, or fails as set by {@link refuse}. */
  respond<T>(method: keyof FlagsApi, result: T): T {
    const refusal = this.#refusals.get(method);
    if (refusal) {
      throw refusal;
    }
    return result;
  }
}
