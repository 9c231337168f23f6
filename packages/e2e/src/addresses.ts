import { fileURLToPath } from 'node:url';

/** Ports of the platform under test: not those of development, so that both can run at once. */
export const ports = {
  portal: 13000,
  /** Of the app's development server, while the test that looks at it runs. */
  appServer: 13001,
  api: 17007,
  ide: 17010,
  forge: 18443,
  spaceMetrics: 18000,
  buildServer: 18200,
  featureFlags: 14242,
  analytics: 18100,
  feedback: 18081,
  designSite: 16006,
} as const;

/** Where the tests find the platform. */
export const addresses = {
  portal: `http://localhost:${ports.portal}`,
  appServer: `http://localhost:${ports.appServer}`,
  api: `http://localhost:${ports.api}`,
  ide: `http://localhost:${ports.ide}`,
  forge: `https://localhost:${ports.forge}`,
  spaceMetrics: `http://localhost:${ports.spaceMetrics}`,
  buildServer: `http://localhost:${ports.buildServer}`,
  featureFlags: `http://localhost:${ports.featureFlags}`,
  analytics: `http://localhost:${ports.analytics}`,
  feedback: `http://localhost:${ports.feedback}`,
  designSite: `http://localhost:${ports.designSite}`,
} as const;

/** Absolute path of the repository's root. */
export const repositoryRoot = fileURLToPath(
  new URL('../../../', import.meta.url),
);

/** State of the platform under test; emptied before each run. */
export const stateDirectory = `${repositoryRoot}.data/e2e`;
