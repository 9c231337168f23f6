import { describeAccess } from './__testUtils__/describeAccess';
import { describeElevation } from './__testUtils__/describeElevation';
import { describeResources } from './__testUtils__/describeResources';
import { describeServiceTokens } from './__testUtils__/describeServiceTokens';
import { type RunningPortal, startPortal } from './__testUtils__/RunningPortal';

// Suites share one portal, because each start of a portal takes about five seconds of CPU time.

let running: RunningPortal;

beforeAll(async () => {
  running = await startPortal();
});

afterAll(async () => {
  await running?.stop();
});

describe('access', () => {
  describeAccess(() => running);
});
describe('responses', () => {
  describeResources(() => running);
});
describe('elevation', () => {
  describeElevation(() => running);
});
describe('tokens of services', () => {
  describeServiceTokens(() => running);
});
