import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BuildLogs } from '../logs/BuildLogs.ts';
import { LogUplink } from './LogUplink.ts';
import type { AgentClaim, ServerLink } from './ServerLink.ts';

it('ends even if the log of earlier attempts leaves no room for its own', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'uplink-'));
  const logs = new BuildLogs({ directory, maxBytes: 100_000 });
  const base = await logs.writeAt(1, 0, Buffer.alloc(300_000, 'a'));
  const file = path.join(directory, 'own.log');
  await writeFile(file, Buffer.alloc(1_000_000, 'b'));
  const log: ServerLink['log'] = (_claim, offset, part) =>
    logs.writeAt(1, offset, part);
  const uplink = new LogUplink({
    ...{ link: { log } as ServerLink, claim: {} as AgentClaim },
    ...{ file, base },
  });
  await uplink.end();
  // The limit, and the room for notes.
  expect(await logs.size(1)).toBe(100_000 + 262_144);
  await rm(directory, { recursive: true });
});
