import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningServer } from '../../startServer.ts';
import type { Case, CaseGroup } from './Case.ts';
import { clientGroups } from './cases/client.ts';
import { flagCases } from './cases/flags.ts';
import { frontendCases } from './cases/frontend.ts';
import { registerCases } from './cases/registers.ts';
import { reportCases, usageCases } from './cases/reports.ts';
import { strategyCases } from './cases/strategies.ts';
import { bodies } from './differences/adminBodies.ts';
import { absent, added } from './differences/routes.ts';
import { strictness } from './differences/rules.ts';
import { sdks } from './differences/sdks.ts';
import { exchange, type Kept } from './exchange.ts';
import { type Found, findDifferences } from './findDifferences.ts';
import { type Difference, judge } from './judge.ts';
import { withBothServers } from './withBothServers.ts';

// Compares the service with the Unleash server: `yarn workspace @slipway/bench
// compare:feature-flags`. Exits with 1 if a difference is not listed in `differences`.

const groups: CaseGroup[] = [
  { name: 'flags', cases: flagCases },
  { name: 'strategies', cases: strategyCases },
  { name: 'registers', cases: registerCases },
  ...clientGroups,
  { name: 'reports', cases: reportCases },
  // The Unleash server only stores reports after some seconds, and refreshes its frontend API
  // after that.
  { name: 'frontend', cases: frontendCases, waitMs: 12_000 },
  { name: 'usage', cases: usageCases, waitMs: 6_000 },
];

/** All intentional differences between the Unleash server and ours. */
const differences: readonly Difference[] = [
  ...absent,
  ...added,
  ...strictness,
  ...bodies,
  ...sdks,
];

async function compare(
  theirs: RunningServer,
  ours: RunningServer,
): Promise<{ of: Case; found: Found }[]> {
  const kept: [Kept, Kept] = [new Map(), new Map()];
  const all: { of: Case; found: Found }[] = [];
  for (const { cases, waitMs = 0 } of groups) {
    await sleep(waitMs);
    for (const each of cases) {
      const [one, other] = await Promise.all([
        exchange(theirs.url, each, kept[0]),
        exchange(ours.url, each, kept[1]),
      ]);
      all.push(
        ...findDifferences(one, other).map(found => ({ of: each, found })),
      );
    }
  }
  return all;
}

withBothServers('compare', async (theirs, ours) => {
  const found = await compare(theirs, ours);
  const count = groups.flatMap(({ cases }) => cases).length;
  const { lines, isExpected } = judge(found, differences);
  console.log(lines.join('\n'));
  console.log(`${count} requests to both servers`);
  return isExpected;
});
