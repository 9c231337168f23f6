import { createRequire } from 'node:module';
import { resolvePackagePath } from '@backstage/backend-plugin-api';
import { Platform } from './__testUtils__/Platform';
import {
  type Outcome,
  type PolicyPart,
  type PolicyRow,
  readPolicy,
} from './__testUtils__/policyTable';
import {
  type Asked,
  commonCredentials,
  type Credential,
  type PartRequests,
  WRONG,
} from './__testUtils__/requestParts';
import { requests } from './__testUtils__/requests';

// Walks the policy of docs/security.md: every cell is asked, and no route is without a row.

const policy = readPolicy();

/** Routes of services that their OpenAPI does not describe: itself, and files of the design site. */
const UNDESCRIBED = ['GET /openapi.json', 'GET /*'];

/** The paths below which the portal's parts describe themselves. */
const PREFIXES: Record<string, string> = {
  'Portal: workspaces': '/api/ide-launcher/',
  'Portal: deliveries': '/api/delivery-lake/',
  'Portal: catalog': '/api/catalog/',
};

let platform: Platform;

beforeAll(async () => {
  platform = await Platform.start();
});

afterAll(async () => {
  await platform?.stop();
});

it('has a table for every part', () => {
  expect(policy.map(({ name }) => name).sort()).toEqual(
    Object.keys(requests).sort(),
  );
  expect(Object.values(requests).map(({ part }) => part)).toEqual(
    expect.arrayContaining(Object.keys(platform.origins)),
  );
});

describe.each(policy)('$name', part => {
  const asked = requests[part.name];

  it('has a column for every role', () => {
    expect(part.roles).toEqual([
      'anonymous',
      'wrong credential',
      ...Object.keys(credentialsOf(asked)).filter(role => role !== 'anonymous'),
    ]);
  });

  it('has a row for every route', async () => {
    const rows = part.rows.map(({ method, path }) => `${method} ${path}`);
    const described = await describedRoutes(part);
    expect(described.filter(route => !rows.includes(route))).toEqual([]);
    // The portal describes what is Slipway's, and not the rest.
    const known = asked.part === 'portal' ? rows : described;
    expect(
      rows.filter(route => ![...known, ...UNDESCRIBED].includes(route)),
    ).toEqual([]);
  });

  it.each(part.rows.map(row => ({ ...row, title: titleOf(row) })))(
    '$title',
    async row => {
      expect(await walk(asked, row)).toEqual(Object.fromEntries(row.outcomes));
    },
  );
});

function titleOf({ method, path, object }: PolicyRow): string {
  return `${method} ${path}${object && `, ${object}`}`;
}

function credentialsOf(asked: PartRequests): Record<string, Credential> {
  return { ...commonCredentials(platform), ...asked.credentials };
}

/** What every role gets of a row. An object that somebody has changed is made anew. */
async function walk(
  asked: PartRequests,
  row: PolicyRow,
): Promise<Record<string, Outcome | string>> {
  const credentials = credentialsOf(asked);
  const got: Record<string, string> = {};
  let object: Asked | undefined;
  for (const role of row.outcomes.keys()) {
    const shown = role === 'wrong credential' ? WRONG : [credentials[role]];
    const outcomes = new Set<string>();
    for (const credential of shown) {
      object ??= (await asked.objects[row.object]?.(platform)) ?? {};
      const outcome = await outcomeOf(asked, row, { object, credential });
      outcomes.add(outcome);
      if (outcome === 'yes' && row.method !== 'GET') {
        object = undefined;
      }
    }
    got[role] = [...outcomes].join(' or ');
  }
  return got;
}

async function outcomeOf(
  asked: PartRequests,
  { method, path }: PolicyRow,
  { object, credential }: { object: Asked; credential: Credential },
): Promise<string> {
  const { accepted, ...route } = asked.routes[`${method} ${path}`] ?? {};
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const body = hasBody ? JSON.stringify(route.body ?? {}) : undefined;
  const query = [route.query, object.query, credential.query].filter(Boolean);
  const target = path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = object.params?.[name];
    if (value === undefined) {
      throw new Error(`Nothing is known of {${name}} of ${path}`);
    }
    return value;
  });
  const { status, text } = await platform.ask(asked.part, {
    method,
    path: query.length > 0 ? `${target}?${query.join('&')}` : target,
    headers: { ...credential.headers, ...credential.sign?.(body ?? '') },
    body,
  });
  const isPart =
    method === 'GET' &&
    object.text !== undefined &&
    !text.includes(object.text);
  if (status < 400 || status === accepted) {
    return isPart ? 'part' : 'yes';
  }
  if (object.text !== undefined) {
    expect(text).not.toContain(object.text);
  }
  return String(status);
}

/** The routes that a part describes in OpenAPI, as `GET /path`. */
async function describedRoutes({ name }: PolicyPart): Promise<string[]> {
  const { part } = requests[name];
  const { text } = await platform.ask(part, {
    method: 'GET',
    path: '/openapi.json',
  });
  const described = routesOf(JSON.parse(text).paths);
  if (part !== 'portal') {
    return described;
  }
  const prefix = PREFIXES[name];
  const own = described.filter(route => route.includes(` ${prefix}`));
  return name === 'Portal: catalog' ? [...own, ...stockCatalogRoutes()] : own;
}

/** The routes of Backstage's own catalog, beside the contract's. */
function stockCatalogRoutes(): string[] {
  const { spec } = createRequire(__filename)(
    resolvePackagePath(
      '@backstage/plugin-catalog-backend',
      'dist/schema/openapi/generated/router.cjs.js',
    ),
  );
  return routesOf(spec.paths, '/api/catalog');
}

function routesOf(paths: Record<string, object>, prefix = ''): string[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter(method => /^(get|post|put|patch|delete)$/.test(method))
      .map(method => `${method.toUpperCase()} ${prefix}${path}`),
  );
}
