import { repositoryRoot } from '@slipway/dev-runner/src/layout.ts';
import { readServices } from '@slipway/dev-runner/src/readAddresses.ts';

/**
 * Ports of the platform under test: different from those of development, so that both can run at
 * the same time.
 */
export const ports = {
  portal: 13000,
  /** The port of the app's development server, during the test that uses it. */
  appServer: 13001,
  /** The portal's pages without a back end, whose responses are recorded. */
  pages: 13100,
  api: 17007,
  ide: 17010,
  forge: 18443,
  /** The mail server, during the test that uses it. */
  smtp: 18025,
} as const;

/** Offset between the ports of services here and in development. */
const ABOVE = 10_000;

/** Addresses of the platform for the tests. */
export const addresses = {
  portal: `http://localhost:${ports.portal}`,
  appServer: `http://localhost:${ports.appServer}`,
  pages: `http://localhost:${ports.pages}`,
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

/** State of the platform under test; deleted before each run. */
export const stateDirectory = `${repositoryRoot}.data/e2e`;

/** The token of the webhook of the job `checks`. */
export const CHECKS_TOKEN = 'e2e-checks-webhook-token';
