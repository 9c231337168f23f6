import { mockServices } from '@backstage/backend-test-utils';
import { createFirstSteps } from './firstSteps';
import type { StepId } from './schemas';
import type { PartRequest } from './PartsClient';

const ADA = { ref: 'user:default/ada', ownership: ['user:default/ada'] };

/** Creates first steps whose parts always return the same response. */
function stepsOf(answer: (request: PartRequest) => unknown) {
  return createFirstSteps({
    parts: { request: async (_, request) => answer(request) },
    logger: mockServices.rootLogger(),
  });
}

it.each([
  [
    'connect',
    { sources: [{ source: 'github' }] },
    { sources: [{ source: 'demo' }] },
  ],
  ['workspace', { workspaces: [{}] }, { workspaces: [] }],
  [
    'workspace',
    { workspaces: [{ importedFrom: 'demo' }, { importedFrom: null }] },
    { workspaces: [{ importedFrom: 'demo' }] },
  ],
  [
    'build',
    { jobs: [{ name: 'hello', lastBuild: { number: 1 } }] },
    {
      jobs: [
        { name: 'hello', lastBuild: null },
        { name: 'demo-cart-api', lastBuild: { number: 7 } },
      ],
    },
  ],
  [
    'deployment',
    { deployments: [{ service: 'demo/cart-api' }, { service: 'shop' }] },
    { deployments: [{ service: 'demo/cart-api' }] },
  ],
  [
    'flag',
    { features: [{ name: 'checkout', project: 'default' }] },
    {
      features: [
        { name: 'portal.flag-usage', project: 'default' },
        { name: 'demo.gift-cards', project: 'demo' },
      ],
    },
  ],
  ['team', { results: [[2]] }, { results: [[1]] }],
] as [StepId, object, object][])(
  'knows whether %s is done, whatever the demo organisation did',
  async (id, done, open) => {
    expect(await stepsOf(() => done)(ADA, [id])).toEqual({ [id]: true });
    expect(await stepsOf(() => open)(ADA, [id])).toEqual({ [id]: false });
  },
);

it('asks nothing but the given steps, and does not know what a part does not say', async () => {
  const asked: PartRequest[] = [];
  const steps = stepsOf(request => {
    asked.push(request);
    if (request.service === 'build-server') {
      throw new Error('status 503');
    }
    return request.plugin ? { workspaces: [{}] } : { features: 'none' };
  });
  expect(await steps(ADA, ['workspace', 'build', 'flag'])).toEqual({
    workspace: true,
    build: null,
    flag: null,
  });
  expect(asked.map(({ path }) => path)).toEqual([
    '/workspaces',
    '/api/json?tree=jobs[name,lastBuild[number]]',
    '/api/admin/features',
  ]);
});
