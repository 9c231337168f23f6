import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { repositoryRoot } from '@slipway/dev-runner/src/layout.ts';
import { PlatformLog } from '@slipway/dev-runner/src/output.ts';
import { describeParts } from '@slipway/dev-runner/src/parts.ts';
import { readAddresses } from '@slipway/dev-runner/src/readAddresses.ts';
import {
  onceAskedToStop,
  runPlatform,
} from '@slipway/dev-runner/src/runPlatform.ts';
import { addresses, ports, stateDirectory } from './addresses.ts';
import { Forge } from './Forge.ts';
import { portalEnvironment } from './portalEnvironment.ts';

// The platform as `yarn dev` runs it, on ports and state of its own, beside a
// forge whose certificate authority it trusts through NODE_EXTRA_CA_CERTS.

const fixtures = fileURLToPath(new URL('../fixtures', import.meta.url));

async function run(): Promise<number> {
  rmSync(stateDirectory, { recursive: true, force: true });
  mkdirSync(stateDirectory, { recursive: true });
  const forge = await Forge.create({
    directory: `${stateDirectory}/forge`,
    fixtures,
  });
  await forge.listen(ports.forge);

  const env = portalEnvironment({
    addresses,
    stateDirectory,
    caFile: forge.caFile,
    configuration: {
      backend_cors_origin: [addresses.portal, addresses.appServer],
    },
  });
  const parts = describeParts(
    await readAddresses({ root: repositoryRoot, env }),
  );
  return runPlatform({
    // A file saved meanwhile must not restart what a test works with.
    parts: parts.map(part => ({
      ...part,
      restartOnChangeOf: undefined,
      tellOnChangeOf: undefined,
    })),
    root: repositoryRoot,
    stateDirectory,
    env,
    log: new PlatformLog({
      parts: parts.map(part => part.name),
      write: text => process.stdout.write(text),
      colour: false,
    }),
    askedToStop: onceAskedToStop,
  });
}

void run().then(exitCode => process.exit(exitCode));
