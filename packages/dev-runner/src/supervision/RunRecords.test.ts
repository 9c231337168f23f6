import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endStaleParts, RunRecords } from './RunRecords.ts';

const MARKER = 'SLIPWAY_PART_START=of-this-test';

describe('endStaleParts', () => {
  let stateDirectory: string;
  let records: RunRecords;
  const children: ChildProcess[] = [];

  beforeEach(() => {
    stateDirectory = mkdtempSync(path.join(tmpdir(), 'dev-runner-'));
    records = new RunRecords(stateDirectory);
    records.recordRunner();
  });

  afterEach(() => {
    for (const child of children.splice(0)) {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // It has ended, as expected.
      }
    }
    rmSync(stateDirectory, { recursive: true });
  });

  async function startGroup(script: string, marker = MARKER): Promise<number> {
    const child = spawn('sh', ['-c', script], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, SLIPWAY_PART_START: marker.split('=')[1] },
    });
    children.push(child);
    await once(child.stdout, 'data');
    return child.pid!;
  }

  function isGroupAlive(groupId: number): boolean {
    try {
      process.kill(-groupId, 0);
      return true;
    } catch {
      return false;
    }
  }

  it('ends the group of a recorded part', async () => {
    const pid = await startGroup('sleep 600 & echo started; wait');
    records.recordPart('backend', pid, MARKER);

    const ended = await endStaleParts(records, { graceMs: 2_000 });

    expect(ended).toEqual(['backend']);
    expect(isGroupAlive(pid)).toBe(false);
    expect(records.recordedParts()).toEqual([]);
  });

  it('ignores a process that reuses a recorded id', async () => {
    const pid = await startGroup(
      'echo started; sleep 600',
      'SLIPWAY_PART_START=another',
    );
    writeFileSync(
      path.join(stateDirectory, 'run/parts/backend.json'),
      JSON.stringify({
        part: 'backend',
        process: { pid, startedAt: 'an earlier boot/123' },
        marker: MARKER,
      }),
    );

    const ended = await endStaleParts(records, { graceMs: 2_000 });

    expect(ended).toEqual([]);
    expect(isGroupAlive(pid)).toBe(true);
    expect(records.recordedParts()).toEqual([]);
  });

  describe.runIf(process.platform === 'linux')('on Linux', () => {
    it('ends the children of a part without its main process', async () => {
      const pid = await startGroup('sleep 600 & echo started; wait');
      records.recordPart('backend', pid, MARKER);
      process.kill(pid, 'SIGKILL');
      await once(children[0], 'exit');
      expect(isGroupAlive(pid)).toBe(true);

      const ended = await endStaleParts(records, { graceMs: 2_000 });

      expect(ended).toEqual(['backend']);
      expect(isGroupAlive(pid)).toBe(false);
    });
  });

  it('ignores a truncated record', async () => {
    writeFileSync(path.join(stateDirectory, 'run/parts/app.json'), '{"part":');

    expect(await endStaleParts(records, { graceMs: 100 })).toEqual([]);
  });
});
