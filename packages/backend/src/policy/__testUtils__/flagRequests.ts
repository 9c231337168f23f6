import {
  ADMIN_TOKEN,
  CLIENT_TOKEN,
  FRONTEND_TOKEN,
} from '@slipway/feature-flags/src/__testUtils__/startFeatureFlags.ts';
import type { Platform } from './Platform';
import {
  type Asked,
  EMPTY,
  fresh,
  type PartRequests,
  webhook,
  componentOfOwner,
} from './requestParts';

/** The path of a flag in all environments, and of what it is in one. */
const FEATURE = '/api/admin/projects/{projectId}/features/{featureName}';
const PLACE = `${FEATURE}/environments/{environment}`;

/** Asks the service as its admin. */
function arrange(
  platform: Platform,
  method: string,
  target: string,
  body?: object,
) {
  return platform.arrange('featureFlags', {
    method,
    path: `/api/admin/${target}`,
    headers: { authorization: ADMIN_TOKEN },
    body,
  });
}

/** A flag with one of each thing that a flag may have. */
async function createFlag(platform: Platform): Promise<Asked> {
  const featureName = fresh('flag');
  await arrange(platform, 'POST', 'features', {
    name: featureName,
    type: 'release',
    dependencies: [{ feature: 'parent' }],
    tags: [{ type: 'simple', value: 'tagged' }],
  });
  const { links, environments } = await arrange(
    platform,
    'POST',
    `projects/default/features/${featureName}/link`,
    { url: 'https://example.org/' },
  );
  const { name: environment, strategies } = environments.find(
    ({ name }: { name: string }) => name === 'development',
  );
  return {
    params: {
      featureName,
      projectId: 'default',
      environment,
      strategyId: strategies[0].id,
      linkId: links[0].id,
      parent: 'parent',
      type: 'simple',
      value: 'tagged',
    },
  };
}

/** A record that paths name by its `id` or `key`. */
async function createRecord(
  platform: Platform,
  options: { member: 'id' | 'name'; kind: string; body: object },
): Promise<Asked> {
  const { member, kind, body } = options;
  const record = await arrange(platform, 'POST', kind, body);
  const key = String(record[member]);
  return { params: { key, id: key, projectId: key } };
}

/** How the routes of the feature-flag service are asked. */
export const flagRequests: PartRequests = {
  part: 'featureFlags',
  credentials: {
    'client token': { headers: { authorization: CLIENT_TOKEN } },
    'frontend token': { headers: { authorization: FRONTEND_TOKEN } },
    'admin token': { headers: { authorization: ADMIN_TOKEN } },
  },
  objects: {
    'a component': componentOfOwner,
    'a flag': createFlag,
    'an archived flag': async platform => {
      const flag = await createFlag(platform);
      const { featureName } = flag.params!;
      await arrange(platform, 'DELETE', `features/${featureName}`);
      return flag;
    },
    'a segment': platform =>
      createRecord(platform, {
        member: 'id',
        kind: 'segments',
        body: { name: fresh('segment'), constraints: [] },
      }),
    'a project': platform =>
      createRecord(platform, {
        member: 'id',
        kind: 'projects',
        body: { id: fresh('project') },
      }),
    'an environment': platform =>
      createRecord(platform, {
        member: 'name',
        kind: 'environments',
        body: { name: fresh('place') },
      }),
    'a context field': platform =>
      createRecord(platform, {
        member: 'name',
        kind: 'context',
        body: { name: fresh('field') },
      }),
    'a token': platform =>
      createRecord(platform, {
        member: 'id',
        kind: 'api-tokens',
        body: { type: 'client', tokenName: fresh('token') },
      }),
    'a webhook': platform =>
      createRecord(platform, { member: 'id', kind: 'webhooks', body: webhook }),
  },
  routes: {
    'GET /api/client/streaming': { accepted: 429 },
    ...Object.fromEntries(
      [
        'POST /api/client/register',
        'POST /api/client/metrics',
        'POST /api/client/metrics/bulk',
        'POST /api/frontend/client/register',
        'POST /api/frontend/client/metrics',
        'POST /edge/metrics',
        'POST /edge/validate',
        'POST /api/admin/features',
        'POST /api/admin/features/{featureName}/tags',
        'POST /api/admin/projects',
        'POST /api/admin/environments',
        'POST /api/admin/context',
        'POST /api/admin/segments',
        'POST /api/admin/projects/{projectId}/features',
        `POST ${FEATURE}/dependencies`,
        `POST ${FEATURE}/link`,
        `PUT ${PLACE}/variants`,
        `POST ${PLACE}/strategies`,
        `POST ${PLACE}/strategies/set-sort-order`,
        `PUT ${PLACE}/strategies/{strategyId}`,
        'POST /api/admin/api-tokens',
        'POST /api/admin/webhooks',
      ].map(route => [route, EMPTY]),
    ),
  },
};
