import { Agent, request } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { percentile, type Row, summary } from '../../runBench.ts';
import type { Bench } from '../Bench.ts';
import { CROWD_SUBJECT } from '../BenchPortal.ts';

/**
 * Adds stopped workspaces of an owner to the plugin's database. They are copies of a workspace
 * that the platform created, so that every column has a realistic length.
 */
function addWorkspaceRows(options: {
  databaseFile: string;
  templateId: string;
  owner: string;
  count: number;
}): void {
  const database = new DatabaseSync(options.databaseFile, { timeout: 5_000 });
  try {
    const columns = database
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all('workspaces')
      .map(({ name }) => String(name));
    const distinct: Record<string, string> = {
      id: `printf('%s-%d', id, n)`,
      name: `printf('%s-%d', name, n)`,
      owner: '?',
      status: `'Stopped'`,
    };
    database
      .prepare(
        `WITH RECURSIVE numbers(n) AS (
           SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?
         )
         INSERT INTO workspaces (${columns.join(', ')})
         SELECT ${columns.map(column => distinct[column] ?? column).join(', ')}
         FROM workspaces, numbers WHERE id = ?`,
      )
      .run(options.count, options.owner, options.templateId);
  } finally {
    database.close();
  }
}

const WORKSPACES = 1_000;
const REQUESTS = 100;
const WARM_UP_REQUESTS = 20;
const TARGET_MS = 20;

/**
 * Measures the list of an owner with a thousand workspaces, compared with the cheapest route of the
 * same backend.
 */
export async function listOfThousand({ portal }: Bench): Promise<Row> {
  const { api, devfileUrl } = portal;
  const { workspaceId } = await api.create({ devfileUrl });
  await api.until(workspaceId, 'Running');
  addWorkspaceRows({
    databaseFile: portal.databaseFile,
    templateId: workspaceId,
    owner: CROWD_SUBJECT,
    count: WORKSPACES,
  });
  await api.delete(workspaceId);

  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (route: string) =>
    timedGet(`${portal.addresses.api}${route}`, portal.crowdToken, agent);
  const list: number[] = [];
  const floor: number[] = [];
  let bytes = 0;
  for (let index = 0; index < WARM_UP_REQUESTS + REQUESTS; index += 1) {
    const listed = await ask('/api/ide-launcher/workspaces');
    const { total } = JSON.parse(listed.body) as { total: number };
    if (total !== WORKSPACES) {
      throw new Error(`The list holds ${total} and not ${WORKSPACES}`);
    }
    bytes = listed.body.length;
    const trivial = await ask('/api/ide-launcher/openapi.json');
    if (index >= WARM_UP_REQUESTS) {
      list.push(listed.took);
      floor.push(trivial.took);
    }
  }
  agent.destroy();
  return {
    what: `List of 1,000 workspaces (${Math.round(
      bytes / 1024,
    )} KiB), ${REQUESTS} times`,
    target: `p95 ≤ ${TARGET_MS} ms`,
    measured: summary(list),
    beside: `openapi.json: ${summary(floor)}`,
    met: percentile(list, 95) <= TARGET_MS,
  };
}

/** Sends one request over a persistent connection; resolves at the last byte. */
function timedGet(
  url: string,
  token: string,
  agent: Agent,
): Promise<{ took: number; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = performance.now();
    request(
      url,
      { agent, headers: { authorization: `Bearer ${token}` } },
      response => {
        const chunks: Buffer[] = [];
        response
          .on('data', chunk => chunks.push(chunk))
          .on('error', reject)
          .on('end', () => {
            const took = performance.now() - asked;
            const body = Buffer.concat(chunks).toString();
            if (response.statusCode === 200) {
              resolve({ took, body });
            } else {
              reject(new Error(`${url}: ${response.statusCode} ${body}`));
            }
          });
      },
    )
      .on('error', reject)
      .end();
  });
}
