import { repositoryRoot } from '@slipway/dev-runner/src/layout.ts';
import { readServices } from '@slipway/dev-runner/src/readAddresses.ts';

/** Ports of the platform under test: not those of development, so that both can run at once. */
export const ports = {
  portal: 13000,
  /** Of the app's development server, while the test that looks at it runs. */
  appServer: 13001,
  api: 17007,
  ide: 17010,
  forge: 18443,
} as const;

/** Services listen this far above their ports of development. */
const ABOVE = 10_000;

/** Where the tests find the platform. */
export const addresses = {
  portal: `http://localhost:${ports.portal}`,
  appServer: `http://localhost:${ports.appServer}`,
  api: `http://localhost:${ports.api}`,
  ide: `http://localhost:${ports.ide}`,
  forge: `https://localhost:${ports.forge}`,
  services: Object.fromEntries(
    readServices(repositoryRoot).map(({ name, port }) => [
      name,
      `http://localhost:${port + ABOVE}`,
    ]),
  ),
};

/** State of the platform under test; emptied before each run. */
export const stateDirectory = `${repositoryRoot}.data/e2e`;
