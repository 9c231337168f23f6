import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from './readExport.ts';

const TIMEOUT_MS = 30_000;
const LOOK_MS = 500;

interface BackupState {
  readonly name: string;
  readonly state: 'running' | 'done' | 'failed';
  readonly bytes?: number;
}

/** Makes a backup, and waits until it is complete. */
export async function backUp(options: {
  url: string;
  token: string;
}): Promise<BackupState> {
  const address = `${options.url.replace(/\/$/, '')}/api/backups`;
  const call = async (method: 'GET' | 'POST', path = '') => {
    const response = await fetch(address + path, {
      method,
      headers: { authorization: `Bearer ${options.token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = parse(await response.text());
    if (!response.ok) {
      const { detail = `status ${response.status}` } = (answer ?? {}) as {
        detail?: string;
      };
      throw new Error(`${address}: ${detail}`);
    }
    return answer as BackupState;
  };
  let backup = await call('POST');
  while (backup.state === 'running') {
    await sleep(LOOK_MS);
    backup = await call('GET', `/${backup.name}`);
  }
  if (backup.state === 'failed') {
    throw new Error(
      `The backup ${backup.name} failed; the log of the service says why`,
    );
  }
  return backup;
}
