import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { backstage } from './backstage.ts';
import { installClients } from './installClients.ts';
import { jenkinsApi } from './jenkinsApi.ts';
import { JobServer } from './JobServer.ts';
import { nodeJenkins } from './nodeJenkins.ts';
import { pythonJenkins } from './pythonJenkins.ts';
import { recipes } from './recipes.ts';
import { forgotten, type Outcome, runSuite, type Suite } from './Suite.ts';
import { swaggyJenkins } from './swaggyJenkins.ts';

// Makes every call of the Jenkins clients to the real server, and prints which ones
// pass: `yarn bench:jenkins-clients`. Exits with 1 if fewer than 90% pass.

const TARGET = 0.9;
const folder = path.resolve(
  import.meta.dirname,
  '../../../.data/bench/jenkins-clients',
);

async function run(): Promise<boolean> {
  const noPython = await installClients(folder);
  const directory = mkdtempSync(path.join(tmpdir(), 'jenkins-clients-'));
  const server = await JobServer.start(directory);
  try {
    const options = { server, folder };
    const suites = [
      nodeJenkins(options),
      jenkinsApi(options),
      swaggyJenkins(options),
      ...(noPython === undefined ? [await pythonJenkins(options)] : []),
      backstage(options),
      recipes(options),
    ];
    const outcomes: Outcome[] = [];
    for (const suite of suites) {
      outcomes.push(...(await runSuite(suite)));
    }
    print(suites, outcomes);
    if (noPython !== undefined) {
      console.log(`\n${noPython}`);
    }
    const missing = suites.flatMap(suite =>
      forgotten(suite).map(name => `${suite.client} ${name}`),
    );
    if (missing.length > 0) {
      console.log(`\nNeither called nor left out: ${missing.join(', ')}`);
    }
    const held = outcomes.filter(({ fault }) => fault === undefined).length;
    return missing.length === 0 && held >= TARGET * outcomes.length;
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

function print(suites: readonly Suite[], outcomes: readonly Outcome[]): void {
  for (const { client, call, fault } of outcomes) {
    console.log(
      `${fault === undefined ? 'holds' : 'FAILS'}  ${client}  ${call}${
        fault === undefined ? '' : `: ${fault}`
      }`,
    );
  }
  console.log('\n| Client | Version | Passed | Calls | Left out |');
  console.log('| --- | --- | --- | --- | --- |');
  const rows = suites.map(suite => ({
    name: suite.client,
    version: suite.version,
    held: outcomes.filter(
      ({ client, fault }) => client === suite.client && fault === undefined,
    ).length,
    calls: suite.calls.size,
    left: [...suite.left.values()].flat().length,
  }));
  const sum = (of: 'held' | 'calls' | 'left') =>
    rows.reduce((total, row) => total + row[of], 0);
  for (const row of [
    ...rows,
    {
      name: 'All',
      version: '',
      held: sum('held'),
      calls: sum('calls'),
      left: sum('left'),
    },
  ]) {
    console.log(
      `| ${row.name} | ${row.version} | ${row.held} | ${row.calls} | ${row.left} |`,
    );
  }
}

run().then(
  isMet => process.exit(isMet ? 0 : 1),
  error => {
    console.error(error);
    process.exit(1);
  },
);
