import { createRequire } from 'node:module';
import type { Service } from '@slipway/service-kit';
import { openTestDatabase } from '@slipway/service-kit/testing';
import {
  type Context,
  InMemStorageProvider,
  Unleash,
  type UnleashConfig,
  UnleashEvents,
} from 'unleash-client';
import {
  callsTo,
  CLIENT_TOKEN,
  FRONTEND_TOKEN,
  startFeatureFlags,
} from '../__testUtils__/startFeatureFlags.ts';
import { featureFlags } from '../service.ts';

// Runs the cases of the specification that all SDKs of Unleash have to meet.

interface Case {
  description: string;
  context: Context;
  toggleName: string;
  expectedResult: unknown;
}

interface State {
  features?: Feature[];
  segments?: Segment[];
  events?: { type: string; [member: string]: unknown }[];
}

interface Feature {
  name: string;
  description?: string;
  strategies?: { segments?: number[]; parameters?: object | null }[];
  [member: string]: unknown;
}

interface Segment {
  id: number;
  name?: string;
  constraints: object[];
}

interface Specification {
  name: string;
  state: State;
  tests?: Case[];
  variantTests?: Case[];
}

const require = createRequire(import.meta.url);

const files: string[] = require('@unleash/client-specification/specifications/index.json');

const specifications: Specification[] = files.map(file =>
  require(`@unleash/client-specification/specifications/${file}`),
);

/** Returns the state after applying the delta events of a file. */
function stateOf({ features = [], segments = [], events = [] }: State) {
  const flags = new Map(features.map(flag => [flag.name, flag]));
  const known = new Map(segments.map(segment => [segment.id, segment]));
  for (const event of events) {
    if (event.type === 'hydration') {
      (event.features as Feature[]).forEach(flag => flags.set(flag.name, flag));
      (event.segments as Segment[]).forEach(each => known.set(each.id, each));
    } else if (event.type === 'feature-updated') {
      const flag = event.feature as Feature;
      flags.set(flag.name, flag);
    } else if (event.type === 'feature-removed') {
      flags.delete(event.featureName as string);
    } else if (event.type === 'segment-updated') {
      const segment = event.segment as Segment;
      known.set(segment.id, segment);
    } else if (event.type === 'segment-removed') {
      known.delete(event.segmentId as number);
    }
  }
  return { flags: [...flags.values()], segments: [...known.values()] };
}

/** The variant of a flag that is missing in a response because it is off. */
const NO_VARIANT = {
  name: 'disabled',
  enabled: false,
  feature_enabled: false,
};

let service: Service;
let url: string;
let dispose: () => Promise<void>;

/** Creates flags and segments through the admin API, in a project for which tokens are created. */
async function create(state: State, project: string): Promise<void> {
  const { admin } = callsTo(service);
  const ids = new Map<number, number>();
  const { flags, segments } = stateOf(state);
  for (const { id, name, constraints } of segments) {
    const made = await admin('POST', '/segments', {
      name: `${project} ${name ?? id}`,
      constraints,
    });
    expect(made.status).toBe(201);
    ids.set(id, made.body.id);
  }
  for (const flag of flags) {
    const strategies = flag.strategies?.map(strategy => ({
      ...strategy,
      ...(strategy.segments && {
        segments: strategy.segments.map(id => ids.get(id) ?? 1_000_000 + id),
      }),
    }));
    const { status, body } = await admin('POST', '/features', {
      ...flag,
      strategies,
      project,
    });
    expect([status, body]).toEqual([201, expect.anything()]);
  }
}

async function tokenOf(type: string, project: string): Promise<string> {
  const { body } = await callsTo(service).admin('POST', '/api-tokens', {
    tokenName: project,
    type,
    projects: [project],
  });
  return body.secret;
}

async function connect(
  token: string,
  more: Partial<UnleashConfig> = {},
): Promise<Unleash> {
  const sdk = new Unleash({
    url: `${url}/api`,
    appName: 'specification',
    refreshInterval: 60_000,
    disableMetrics: true,
    storageProvider: new InMemStorageProvider(),
    customHeaders: { Authorization: token },
    ...more,
  });
  sdk.on(UnleashEvents.Error, error => {
    throw error;
  });
  await new Promise(resolve => {
    sdk.once(UnleashEvents.Synchronized, resolve);
  });
  return sdk;
}

const contextOf = (context: Context): Context => ({
  ...context,
  ...(context.currentTime && { currentTime: new Date(context.currentTime) }),
});

const casesOf = (specification: Specification) => [
  ...(specification.tests ?? []),
  ...(specification.variantTests ?? []),
];

it('is version 6.1.0, with its 279 cases', () => {
  const { version } = require('@unleash/client-specification/package.json');
  expect(version).toBe('6.1.0');
  expect(specifications.flatMap(casesOf)).toHaveLength(279);
});

/** Two files use the same flag names, which cannot be reused, so they are in different halves. */
const halves = [
  { half: 'first', part: specifications.slice(0, 10) },
  { half: 'second', part: specifications.slice(10) },
];

describe.each(halves)('the $half half', ({ part }) => {
  beforeAll(async () => {
    const test = await openTestDatabase('sqlite', featureFlags);
    dispose = test.dispose;
    service = await startFeatureFlags({
      database: test.database,
      config: { rateLimit: { enabled: false } },
    });
    url = await service.start();
  });

  afterAll(async () => {
    await service.stop();
    await dispose();
  });

  describe.each(part)('$name', specification => {
    const {
      name: project,
      state,
      tests = [],
      variantTests = [],
    } = specification;

    const expected = casesOf(specification).map(each => each.expectedResult);

    beforeAll(() => create(state, project));

    it.each([
      ['polling', {}],
      ['delta', { experimentalMode: { type: 'polling', format: 'delta' } }],
      ['a stream', { experimentalMode: { type: 'streaming' } }],
    ] as [string, Partial<UnleashConfig>][])(
      'holds in unleash-client, by %s',
      async (_way, mode) => {
        const sdk = await connect(await tokenOf('client', project), mode);
        const got = [
          ...tests.map(({ toggleName, context }) =>
            sdk.isEnabled(toggleName, contextOf(context)),
          ),
          ...variantTests.map(({ toggleName, context }) =>
            sdk.getVariant(toggleName, contextOf(context)),
          ),
        ];
        sdk.destroy();
        expect(got).toMatchObject(expected);
      },
    );

    it('holds in /api/frontend', async () => {
      const token = await tokenOf('frontend', project);
      const evaluate = async ({ context, toggleName }: Case) => {
        const { status, body } = await callsTo(service).send(
          'POST',
          '/api/frontend',
          // Set explicitly, because the address of the request is used if the context lacks one.
          { token, payload: { context: { remoteAddress: '', ...context } } },
        );
        expect(status).toBe(200);
        return body.toggles.find(
          (toggle: { name: string }) => toggle.name === toggleName,
        );
      };
      const toggles = await Promise.all(casesOf(specification).map(evaluate));
      const got = toggles.map((toggle, index) =>
        index < tests.length
          ? Boolean(toggle)
          : (toggle?.variant ?? NO_VARIANT),
      );
      expect(got).toMatchObject(expected);
    });
  });

  it('is sent only to tokens of the right type', async () => {
    const { send } = callsTo(service);
    for (const [path, token] of [
      ['/api/frontend', CLIENT_TOKEN],
      ['/api/client/features', FRONTEND_TOKEN],
      ['/api/client/delta', FRONTEND_TOKEN],
    ]) {
      expect((await send('GET', path, { token })).status).toBe(403);
    }
  });
});
