import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

/** The address of a ClickHouse server for tests; undefined where there is none. */
export function clickhouseUrl(): string | undefined {
  return process.env.ANALYTICS_TEST_CLICKHOUSE;
}

/** What reaches a database that only the service with this directory uses. */
export function clickhouseConfig(directory: string): { url: string } {
  const name = createHash('sha256').update(directory).digest('hex');
  return { url: `${clickhouseUrl()}/t${name.slice(0, 16)}` };
}

/**
 * Vitest global setup: starts what stands in for a ClickHouse server.
 *
 * @returns the tear-down.
 */
export async function setup(): Promise<(() => void) | undefined> {
  const child = fork(
    fileURLToPath(new URL('./clickhouseStandIn.ts', import.meta.url)),
    [],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] },
  );
  const url = await new Promise<string | undefined>(resolve => {
    child.once('message', ({ address }: { address?: string }) =>
      resolve(address),
    );
    child.once('exit', () => resolve(undefined));
  });
  if (url === undefined) {
    return undefined;
  }
  process.env.ANALYTICS_TEST_CLICKHOUSE = url;
  return () => {
    child.kill('SIGKILL');
  };
}
