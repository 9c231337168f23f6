import { parseArgs } from 'node:util';
import { configuration } from '@slipway/fuzz/src/platform/configuration.ts';
import { parts } from '@slipway/fuzz/src/platform/parts.ts';
import { Platform } from '@slipway/fuzz/src/platform/Platform.ts';
import { signIn } from '@slipway/fuzz/src/platform/signIn.ts';
import { readCount } from '../arguments.ts';
import { type Row, runBench } from '../runBench.ts';
import { describeAttacks } from './attacks.ts';
import { measureAttack } from './measureAttack.ts';

// Measures the latency of legitimate requests during the worst known attacks: `yarn
// bench:attacks`. Exits with 1 if a target is missed, for use in pipelines.

async function run(): Promise<Row[]> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      part: { type: 'string', multiple: true, default: [] },
    },
  });
  const seconds = readCount('seconds', values.seconds);
  const platform = await Platform.create(configuration);
  try {
    // Always runs the portal, because it issues the sessions.
    await platform.start('portal');
    const { ada } = await signIn(platform.addresses.api);
    const attacks = describeAttacks({ platform, ada }).filter(
      ({ part }) => values.part.length === 0 || values.part.includes(part),
    );
    const rows: Row[] = [];
    for (const part of parts) {
      for (const attack of attacks.filter(each => each.part === part.name)) {
        console.log(`${part.name}: ${attack.what}`);
        const process = await platform.start(part.process);
        rows.push(...(await measureAttack({ part, process }, attack, seconds)));
      }
    }
    return rows;
  } finally {
    await platform.stop();
  }
}

runBench(run);
