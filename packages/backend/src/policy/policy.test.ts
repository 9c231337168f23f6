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
  type FetchCredential,
  type PartRequests,
  WRONG,
} from './__testUtils__/requestParts';
import { requests } from './__testUtils__/requests';

// Checks the policy in docs/security.md: tests every cell, and requires a row for every route.

const policy = readPolicy();

/**
 * Routes of services that are not in their OpenAPI descriptions: the description itself, and files
 * of the design site.
 */
const UNDESCRIBED = ['GET /openapi.json', 'GET /*'];

/** The path prefixes of the portal's OpenAPI descriptions. */
const PREFIXES: Record<string, string> = {
  'Portal: workspaces': '/api/ide-launcher/',
  'Portal: deliveries': '/api/delivery-lake/',
  'Portal: catalog': '/api/catalog/',
  'Portal: demo organisation': '/api/demo/',
  'Portal: administration': '/api/admin/',
  'Portal: inbox': '/api/inbox/',
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
  const known = Object.values(requests).map(({ part }) => part);
  const parts = Object.keys(platform.origins);
  expect({
    partsWithoutRequests: parts.filter(part => !known.includes(part)),
  }).toEqual({ partsWithoutRequests: [] });
});

describe.each(policy)('$name', part => {
  const asked = requests[part.name];
  const objects: Kept<Asked> = new Map();
  const fetched: Kept<Credential> = new Map();

  beforeAll(() => asked.prepare?.(platform));
  afterAll(() => asked.tidy?.(platform));

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
    expect({
      routesWithoutRow: described.filter(route => !rows.includes(route)),
    }).toEqual({ routesWithoutRow: [] });
    // The portal's description contains only Slipway's own routes.
    const known = asked.part === 'portal' ? rows : described;
    expect({
      rowsWithoutRoute: rows.filter(
        route => ![...known, ...UNDESCRIBED].includes(route),
      ),
    }).toEqual({ rowsWithoutRoute: [] });
  });

  it.each(part.rows.map(row => ({ ...row, title: titleOf(row) })))(
    '$title',
    async row => {
      expect(await walk(asked, row, { objects, fetched })).toEqual(
        Object.fromEntries(row.outcomes),
      );
    },
  );
});

function titleOf({ method, path, object }: PolicyRow): string {
  return `${method} ${path}${object && `, ${object}`}`;
}

function credentialsOf(
  asked: PartRequests,
): Record<string, Credential | FetchCredential> {
  return { ...commonCredentials(platform), ...asked.credentials };
}

/** Objects and tokens created for earlier rows of a part, by name. */
type Kept<T> = Map<string, T>;

/** Returns the value stored under a name, after creating it if there is none. */
async function getOrCreate<T>(
  kept: Kept<T>,
  name: string,
  create: (from: Platform) => Promise<T> | T,
): Promise<T> {
  const found = kept.get(name) ?? (await create(platform));
  kept.set(name, found);
  return found;
}

/**
 * Sends the request of a row as every role and returns the outcomes. Rows share an object until a
 * caller changes it; then a new one is created.
 */
async function walk(
  asked: PartRequests,
  row: PolicyRow,
  { objects, fetched }: { objects: Kept<Asked>; fetched: Kept<Credential> },
): Promise<Record<string, Outcome | string>> {
  const credentials = credentialsOf(asked);
  const got: Record<string, string> = {};
  if (asked.routes[`${row.method} ${row.path}`]?.needsNewObject) {
    objects.delete(row.object);
  }
  for (const role of row.outcomes.keys()) {
    const own = credentials[role];
    const shown =
      role === 'wrong credential'
        ? WRONG
        : [
            typeof own === 'function'
              ? await getOrCreate(fetched, role, own)
              : own,
          ];
    const outcomes = new Set<string>();
    for (const credential of shown) {
      const create = asked.objects[row.object];
      const object = create
        ? await getOrCreate(objects, row.object, create)
        : {};
      const answer = await outcomeOf(asked, row, { object, credential });
      outcomes.add(answer.outcome);
      if (answer.isChange) {
        objects.delete(row.object);
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
): Promise<{ outcome: string; isChange: boolean }> {
  const { accepted, ...route } = asked.routes[`${method} ${path}`] ?? {};
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const body = hasBody
    ? JSON.stringify(object.body ?? route.body ?? {})
    : undefined;
  const query = [route.query, object.query, credential.query].filter(Boolean);
  const target = path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = object.params?.[name];
    if (value === undefined) {
      throw new Error(
        `requests.ts names no object with {${name}} for a row of ${path}`,
      );
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
  if (status < 400 || [accepted].flat().some(each => each === status)) {
    return {
      outcome: isPart ? 'part' : 'yes',
      isChange: status < 400 && method !== 'GET',
    };
  }
  if (object.text !== undefined) {
    expect(text).not.toContain(object.text);
  }
  return { outcome: String(status), isChange: false };
}

/** Returns the routes in a part's OpenAPI description, as `GET /path`. */
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

/** Returns the routes of Backstage's own catalog, in addition to those of the contract. */
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
