import { DEVELOPMENT_CREDENTIALS } from '@slipway/platform-guards';
import { fuzzRoute, type RouteResult } from './fuzzRoute.ts';
import { configuration } from './platform/configuration.ts';
import { type Part, parts, type Sessions } from './platform/parts.ts';
import { keepSignedIn } from './platform/signIn.ts';
import { Platform, type RunningProcess } from './platform/Platform.ts';
import { reportFailure, reportPart } from './report.ts';
import { readRoutes } from './routes/readRoutes.ts';
import { nameOf, type Route } from './routes/Route.ts';

/** The default number of requests of `yarn fuzz`. */
const A_MILLION = 1_000_000;

/** Credentials that no response may contain: all except project keys, which pages contain. */
const SECRETS = DEVELOPMENT_CREDENTIALS.filter(
  credential => !credential.startsWith('phc_'),
);

/** Options of {@link run}, from the command line. */
export interface RunOptions {
  /** A million in total by default. */
  requestsPerRoute?: number;
  seed: number;
  /** Names of parts; all if empty. */
  parts: readonly string[];
  /** Method and path of a single route. */
  route?: string;
}

interface Attack {
  part: Part;
  process: RunningProcess;
  routes: Route[];
}

/**
 * Attacks the platform and reports the results.
 *
 * @returns whether nothing failed.
 */
export async function run(options: RunOptions): Promise<boolean> {
  const chosen = chooseParts(options.parts);
  console.log(`seed ${options.seed}`);
  const platform = await Platform.create(configuration);
  try {
    const attacks: Attack[] = [];
    // The portal issues the sessions, so it always runs.
    await platform.start('portal');
    for (const part of chosen) {
      const process = await platform.start(part.process);
      attacks.push({
        part,
        process,
        routes: await routesOf(part, process, options),
      });
    }
    const routes = attacks.flatMap(attack => attack.routes).length;
    if (routes === 0) {
      throw new Error(`There is no route ${options.route}`);
    }
    const requests = options.requestsPerRoute ?? Math.ceil(A_MILLION / routes);
    console.log(`${routes} routes, ${requests} requests each`);
    const sessions = keepSignedIn(platform.addresses.api);
    let isClean = true;
    for (const attack of attacks) {
      isClean =
        (await carryOut(attack, platform, {
          ...options,
          requests,
          sessions,
        })) && isClean;
    }
    return isClean;
  } finally {
    await platform.stop();
  }
}

async function carryOut(
  { part, process, routes }: Attack,
  platform: Platform,
  options: {
    seed: number;
    requests: number;
    sessions: () => Promise<Sessions>;
  },
): Promise<boolean> {
  const { seed, requests, sessions } = options;
  const begun = performance.now();
  const known = await part.prepare(platform);
  const results: RouteResult[] = [];
  for (const route of routes) {
    const result = await fuzzRoute(
      route,
      {
        part: part.name,
        process,
        errors: part.errors,
        secrets: SECRETS,
        credentials: part.credentials(await sessions()),
        known,
      },
      { seed, requests },
    );
    result.failures
      .slice(0, 5)
      .forEach(failure => reportFailure(failure, seed));
    await assertServes(part, process, route);
    results.push(result);
  }
  reportPart(part.name, results, performance.now() - begun);
  return results.every(({ failures }) => failures.length === 0);
}

function chooseParts(names: readonly string[]): readonly Part[] {
  for (const name of names) {
    if (!parts.some(part => part.name === name)) {
      throw new Error(
        `There is no part ${name}, but ${parts
          .map(part => part.name)
          .join(', ')}`,
      );
    }
  }
  return names.length === 0
    ? parts
    : parts.filter(({ name }) => names.includes(name));
}

async function routesOf(
  { prefix }: Part,
  { origin }: RunningProcess,
  { route }: RunOptions,
): Promise<Route[]> {
  const response = await fetch(`${origin}/openapi.json`);
  const described = readRoutes((await response.json()) as object);
  return described.filter(
    each =>
      each.path.startsWith(prefix) &&
      (route === undefined || nameOf(each) === route),
  );
}

/** @throws Error if the part no longer works. */
async function assertServes(
  { name, ordinary }: Part,
  { origin }: RunningProcess,
  route: Route,
): Promise<void> {
  const { path, credential } = ordinary;
  const response = await fetch(`${origin}${path}`, {
    headers: credential?.headers as [string, string][] | undefined,
  }).catch(() => undefined);
  await response?.body?.cancel();
  if (response?.status !== 200) {
    throw new Error(
      `${name} answers ${path} with ${
        response?.status ?? 'nothing'
      } after ${nameOf(route)}`,
    );
  }
}
