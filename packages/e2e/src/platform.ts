import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PlatformLog } from '@slipway/dev-runner/src/output/PlatformLog.ts';
import { parts } from '@slipway/dev-runner/src/parts.ts';
import type { PartDefinition } from '@slipway/dev-runner/src/PartDefinition.ts';
import { runPlatform } from '@slipway/dev-runner/src/runPlatform.ts';
import { onceAskedToStop } from '@slipway/dev-runner/src/supervision/onceAskedToStop.ts';
import {
  addresses,
  ports,
  repositoryRoot,
  stateDirectory,
} from './addresses.ts';
import { Forge } from './Forge.ts';
import { portalEnvironment } from './portalEnvironment.ts';

// The platform as `yarn dev` runs it, on ports and state of its own, beside a
// forge whose certificate authority it trusts through NODE_EXTRA_CA_CERTS.

const fixtures = fileURLToPath(new URL('../fixtures', import.meta.url));

/** Moves a part from the ports of development to those of the tests. */
function onTestPorts(part: PartDefinition): PartDefinition {
  const moved: Record<number, number> = {
    3000: ports.portal,
    7007: ports.api,
    7010: ports.ide,
  };
  const moveUrl = (url: string) =>
    url.replace(/(?<=localhost:)\d+/, port => String(moved[Number(port)]));
  return {
    ...part,
    // A file saved meanwhile must not restart what a test works with.
    restartOnChangeOf: undefined,
    ports: part.ports.map(port => moved[port]),
    readyUrl: moveUrl(part.readyUrl),
    addresses: part.addresses.map(address => ({
      ...address,
      url: moveUrl(address.url),
    })),
  };
}

async function run(): Promise<number> {
  rmSync(stateDirectory, { recursive: true, force: true });
  mkdirSync(stateDirectory, { recursive: true });
  const forge = await Forge.create({
    directory: `${stateDirectory}/forge`,
    fixtures,
  });
  await forge.listen(ports.forge);

  return runPlatform({
    parts: parts.map(onTestPorts),
    root: repositoryRoot,
    stateDirectory,
    env: portalEnvironment({
      addresses,
      stateDirectory,
      caFile: forge.caFile,
    }),
    log: new PlatformLog({
      parts: parts.map(part => part.name),
      write: text => process.stdout.write(text),
      colour: false,
    }),
    askedToStop: onceAskedToStop,
  });
}

void run().then(exitCode => process.exit(exitCode));
