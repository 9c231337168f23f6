import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findProductionFaults } from './findProductionFaults.ts';

const DEVELOPMENT = `
app: { baseUrl: http://localhost:3000 }
backend:
  baseUrl: http://localhost:7007
  listen: { host: 127.0.0.1 }
proxy: { shop: { target: 'http://127.0.0.1:8080' } }
shop:
  allowedHosts: [localhost, hooks.internal]
  token: dev-service-token
`;

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'production-guard-'));
  await writeFile(path.join(root, 'app-config.yaml'), DEVELOPMENT);
});

afterEach(() => rm(root, { recursive: true }));

/** Returns the messages for a configuration layered over the development one. */
async function faultsOf(
  production: string,
  options: {
    env?: NodeJS.ProcessEnv;
    reads?: (key: string) => boolean;
    nodeEnv?: string;
  } = {},
): Promise<string[]> {
  const { env = {}, reads = () => true, nodeEnv = 'production' } = options;
  const files = ['app-config.yaml', 'production.yaml'].map(name =>
    path.join(root, name),
  );
  await writeFile(files[1], production);
  const faults = await findProductionFaults({
    argv: files.flatMap(file => ['--config', file]),
    env,
    reads,
    nodeEnv,
  });
  return faults.map(({ message }) => message);
}

const ADDRESSES = `
app: { baseUrl: 'https://portal.example' }
backend: { baseUrl: 'https://portal.example' }
proxy: { shop: { target: 'http://shop:8080' } }
`;
const COMPLETE = `${ADDRESSES}
shop: { allowedHosts: [], token: 'real' }
`;

it('names all values from the development file', async () => {
  expect(await faultsOf('app: { title: Ours }')).toEqual([
    'shop.token holds a development credential (dev-service-token), refused in production',
    'app.baseUrl holds an address of development (http://localhost:3000)',
    'backend.baseUrl holds an address of development (http://localhost:7007)',
    'proxy.shop.target holds an address of development (http://127.0.0.1:8080)',
    'shop.allowedHosts[0] holds an address of development (localhost)',
  ]);
});

it('accepts a configuration that overrides it', async () => {
  expect(await faultsOf(COMPLETE)).toEqual([]);
});

it('accepts intended local addresses', async () => {
  const sameHost = COMPLETE.replace(
    'http://shop:8080',
    'http://localhost:8080',
  );
  expect(await faultsOf(sameHost)).toEqual([]);
  const shop = JSON.stringify({ target: 'http://localhost:8080' });
  expect(
    await faultsOf(COMPLETE.replace(/proxy.*/, ''), {
      env: { APP_CONFIG_proxy_shop: shop },
    }),
  ).toEqual([]);
});

it('names every unset variable, and not the values used instead', async () => {
  const production = `${ADDRESSES}
shop:
  allowedHosts: ['\${SHOP_HOST}', '$\${ESCAPED}']
  token: \${SHOP_NAME}-\${SHOP_TOKEN}
  level: \${SHOP_LEVEL:-info}
  colour: \${SHOP_COLOUR:-}
  key: { $env: SHOP_KEY }
`;
  expect(await faultsOf(production, { env: { SHOP_TOKEN: ' ' } })).toEqual([
    'shop.allowedHosts[0] needs SHOP_HOST, which is not set',
    'shop.token needs SHOP_NAME and SHOP_TOKEN, which are not set',
    'shop.key needs SHOP_KEY, which is not set',
  ]);
  const env = {
    SHOP_HOST: 'h',
    SHOP_NAME: 'n',
    SHOP_TOKEN: 't',
    SHOP_KEY: 'k',
  };
  expect(await faultsOf(production, { env })).toEqual([]);
});

it('requires no variable for a value that another source overrides', async () => {
  const production = COMPLETE.replace('real', '${SHOP_TOKEN}');
  expect(
    await faultsOf(production, { env: { APP_CONFIG_shop_token: '"a${b}c"' } }),
  ).toEqual([]);
});

it('finds development credentials in variables', async () => {
  const production = COMPLETE.replace('real', '${SHOP_TOKEN}');
  expect(
    await faultsOf(production, { env: { SHOP_TOKEN: 'dev-space-key' } }),
  ).toEqual([
    'shop.token holds a development credential (dev-space-key), refused in production',
  ]);
});

it('checks only what the process reads', async () => {
  const reads = (key: string) => key.startsWith('app.');
  expect(await faultsOf('shop: { token: "${SHOP_TOKEN}" }', { reads })).toEqual(
    ['app.baseUrl holds an address of development (http://localhost:3000)'],
  );
});

it('finds nothing outside production', async () => {
  const open = 'shop: { listen: { host: 0.0.0.0 } }';
  expect(await faultsOf(open, { nodeEnv: 'development' })).toEqual([]);
  expect(await faultsOf('', { nodeEnv: 'prod' })).toEqual([]);
});

it.each(['prod', ''])(
  'rejects listening beyond this machine while NODE_ENV is %j',
  async nodeEnv => {
    const open = 'shop: { listen: { host: 0.0.0.0 } }';
    expect(await faultsOf(open, { nodeEnv })).toEqual([
      expect.stringMatching(
        /^shop\.listen\.host listens beyond this machine \(0\.0\.0\.0\): NODE_ENV must be/,
      ),
    ]);
  },
);

it('reads app-config.yaml where the arguments name no file', async () => {
  const faults = await findProductionFaults({
    argv: [],
    root,
    env: {},
    reads: key => key === 'app.baseUrl',
    nodeEnv: 'production',
  });
  expect(faults.map(({ key }) => key)).toEqual(['app.baseUrl']);
});
