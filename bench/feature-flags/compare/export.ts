import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { sdkAnswers } from '@slipway/feature-flags/src/__testUtils__/sdkAnswers.ts';
import type { RunningServer } from '../../startServer.ts';
import { TOKENS } from '../servers.ts';
import {
  type Admin,
  createFlags,
  ENVIRONMENTS,
  SEGMENTS,
} from './createFlags.ts';
import { withBothServers } from './withBothServers.ts';

// Exports 200 flags from the Unleash server, imports them unchanged, and compares the evaluations
// of `unleash-client` for 1,000 contexts: `yarn workspace @slipway/bench
// compare:feature-flags-export`. Exits with 1 if anything differs.

/** The Unleash server polls for changes once per second. */
const SEEN_AFTER_MS = 3_000;

/**
 * Start of the warning about flags whose variants depend on data that the export omits.
 */
const UNKNOWN_ORDER = 'The export does not contain the order of strategies';

/** Maximum number of characters of an error to show. */
const SHOWN = 500;

const IMPORT = '/api/admin/features-batch/import';

const TOKEN_OF = {
  development: TOKENS.client,
  production: TOKENS.production,
} as const;

interface Report {
  readonly warnings: { message: string; affectedItems: string[] }[];
  readonly changes: { created: string[]; updated: unknown[] };
}

async function send(
  url: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: TOKENS.admin,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

function adminOf({ url }: RunningServer): Admin {
  return async (method, path, body) => {
    const { status, text } = await send(url, method, path, body);
    if (status >= 300) {
      throw new Error(`${method} ${path}: ${status} ${text.slice(0, SHOWN)}`);
    }
    return text ? JSON.parse(text) : undefined;
  };
}

/**
 * Imports an export. First tries it without the segments, which must be rejected because the export
 * lacks their constraints.
 *
 * @returns the flags whose variants may differ, according to a warning of the import.
 */
async function importAll(
  ours: RunningServer,
  exports: readonly { environment: string; data: unknown }[],
): Promise<ReadonlySet<string>> {
  const admin = adminOf(ours);
  const unsure = new Set<string>();
  const [first] = exports;
  const refused = await send(ours.url, 'POST', IMPORT, { data: first.data });
  console.log(`Import without segments: ${refused.status} ${refused.text}`);
  if (refused.status !== 400) {
    throw new Error('An import that lacks segments was not refused');
  }
  for (const segment of SEGMENTS) {
    await admin('POST', '/api/admin/segments', segment);
  }
  for (const { environment, data } of exports) {
    const { changes, warnings } = (await admin('POST', IMPORT, {
      data,
    })) as Report;
    console.log(
      `Import of ${environment}: ${changes.created.length} created, ${changes.updated.length} updated`,
    );
    for (const { message, affectedItems } of warnings) {
      console.log(`  ${message}: ${affectedItems.length}`);
      if (message.startsWith(UNKNOWN_ORDER)) {
        affectedItems.forEach(item => unsure.add(item));
      }
    }
  }
  return unsure;
}

async function compareAnswers(
  servers: { theirs: RunningServer; ours: RunningServer },
  names: readonly string[],
  unsure: ReadonlySet<string>,
): Promise<boolean> {
  let isEqual = true;
  for (const environment of ENVIRONMENTS) {
    const token = TOKEN_OF[environment];
    const theirs = await sdkAnswers(servers.theirs.url, names, token);
    const ours = await sdkAnswers(servers.ours.url, names, token);
    const different = names.filter(
      name => !isDeepStrictEqual(theirs[name], ours[name]),
    );
    const letters = Object.values(ours).join('');
    const share =
      (letters.length - letters.replaceAll('-', '').length) / letters.length;
    console.log(
      `${environment}: ${letters.length.toLocaleString('en')} results, ${Math.round(
        (1 - share) * 100,
      )} % on, ${different.length} flags differ${different.length ? `: ${different.join(', ')}` : ''}`,
    );
    isEqual &&= different.every(name => unsure.has(name));
  }
  return isEqual;
}

withBothServers('export', async (theirs, ours) => {
  const admin = adminOf(theirs);
  const names = await createFlags(admin);
  const exports = [];
  for (const environment of ENVIRONMENTS) {
    const data = await admin('POST', '/api/admin/features-batch/export', {
      environment,
      project: 'default',
    });
    exports.push({ environment, data });
  }
  const unsure = await importAll(ours, exports);
  await sleep(SEEN_AFTER_MS);
  return compareAnswers({ theirs, ours }, names, unsure);
});
