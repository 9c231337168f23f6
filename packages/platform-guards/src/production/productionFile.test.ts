import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { findProductionFaults } from './findProductionFaults.ts';
import { requiredVariables } from './readConfiguration.ts';

const fileOf = (name: string) =>
  fileURLToPath(new URL(`../../../../${name}`, import.meta.url));

const files = [
  'app-config.yaml',
  'app-config.production.yaml',
  'app-config.oidc.yaml',
].map(fileOf);

/** The variables required by the repository's configuration files. */
const variables = [
  ...new Set(
    files.flatMap(file =>
      [...requiredVariables(parse(readFileSync(file, 'utf8')))].map(
        ({ variable }) => variable,
      ),
    ),
  ),
];

/** A value for each variable that is valid both as an address and as a secret. */
const allSet = Object.fromEntries(
  variables.map((name, index) => [
    name,
    `https://v${index}.test/Xw3nVq9LkP0zT7rB5yH2mJ6dF8gC4sA1`,
  ]),
);

/** Returns the errors in the production configuration, for any process. */
async function faultsWith(env: NodeJS.ProcessEnv): Promise<string[]> {
  const faults = await findProductionFaults({
    argv: files.flatMap(file => ['--config', file]),
    env,
    reads: () => true,
    nodeEnv: 'production',
  });
  return faults.map(({ message }) => message);
}

it('is complete in production once every variable is set', async () => {
  expect(await faultsWith(allSet)).toEqual([]);
});

it('rejects a SPACE_API_KEY that can be guessed', async () => {
  expect(await faultsWith({ ...allSet, SPACE_API_KEY: 'a' })).toEqual([
    'spaceMetrics.auth.apiKeys[0].key is a secret of fewer than 32 characters',
    'buildServer.spaceMetrics.apiKey is a secret of fewer than 32 characters',
  ]);
});

it('names every unset variable of the production configuration', async () => {
  const messages = (await faultsWith({})).join('\n');
  const unnamed = variables.filter(name => !messages.includes(name));
  expect(variables.length).toBeGreaterThan(35);
  expect(unnamed).toEqual([]);
});

it('describes the variables in the documentation, and no others', () => {
  const page = readFileSync(fileOf('docs/production.md'), 'utf8');
  const described = [...page.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  expect([...described].sort()).toEqual([...variables].sort());
});
