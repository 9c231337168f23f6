import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { repositoryRoot } from '@slipway/dev-runner/src/layout.ts';
import { PlatformLog } from '@slipway/dev-runner/src/output.ts';
import { describeParts } from '@slipway/dev-runner/src/parts.ts';
import { readAddresses } from '@slipway/dev-runner/src/readAddresses.ts';
import {
  onceAskedToStop,
  runPlatform,
} from '@slipway/dev-runner/src/runPlatform.ts';
import { addresses, CHECKS_TOKEN, ports, stateDirectory } from './addresses.ts';
import { Forge } from './Forge.ts';
import { portalEnvironment } from './portalEnvironment.ts';

// Runs the platform like `yarn dev`, with separate ports and state, next to a forge whose
// certificate authority it trusts through NODE_EXTRA_CA_CERTS.

const fixtures = fileURLToPath(new URL('../fixtures', import.meta.url));

async function run(): Promise<number> {
  rmSync(stateDirectory, { recursive: true, force: true });
  mkdirSync(stateDirectory, { recursive: true });
  const forge = await Forge.create({
    directory: `${stateDirectory}/forge`,
    fixtures,
  });
  await forge.listen(ports.forge);
  const jobs = `${stateDirectory}/jobs`;
  for (const folder of [
    `${repositoryRoot}/services/build-server/jobs`,
    `${fixtures}/jobs`,
  ]) {
    cpSync(folder, jobs, { recursive: true });
  }

  const env = portalEnvironment({
    addresses,
    stateDirectory,
    caFile: forge.caFile,
    configuration: {
      backend_cors_origin: [addresses.portal, addresses.appServer],
      demo_showcase: {
        devfileUrl: `${addresses.forge}/devfile.yaml`,
        commit: forge.commit,
      },
      buildServer_jobsDirectory: jobs,
      buildServer_secrets: {
        'hello-webhook': 'dev-webhook-token',
        'checks-webhook': CHECKS_TOKEN,
      },
      buildServer_git_caFile: forge.caFile,
      // The test announces its commits like a forge.
      buildServer_pollSeconds: 0,
      buildServer_mail: {
        host: 'localhost',
        port: ports.smtp,
        security: 'none',
        from: 'builds@example.org',
        authorDomains: ['example.org'],
      },
    },
  });
  const parts = describeParts(
    await readAddresses({ root: repositoryRoot, env }),
    // Small heaps take a tenth more processor time, and these tests do not measure memory.
    { smallHeaps: false },
  );
  return runPlatform({
    // Saving a file during a test must not restart the platform.
    parts: parts.map(part => ({
      ...part,
      restartOnChangeOf: undefined,
      notifyOnChangeOf: undefined,
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
