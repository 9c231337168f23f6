import {
  ADMIN_TOKEN,
  CLIENT_TOKEN,
  FRONTEND_TOKEN,
} from '@slipway/feature-flags/src/__testUtils__/startFeatureFlags.ts';
import type { Platform } from './Platform';
import {
  noWebhook,
  type Asked,
  EMPTY,
  fresh,
  type PartRequests,
  webhook,
  componentOfOwner,
} from './requestParts';

/** The path of a flag in all environments, and the path of its state in one. */
const FEATURE = '/api/admin/projects/{projectId}/features/{featureName}';
const PLACE = `${FEATURE}/environments/{environment}`;

/** Sends a request to the service as its admin. */
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

type Named = Required<Pick<Asked, 'params'>>;

/** Creates a project of the team payments, or one without an owner. */
async function createProject(
  platform: Platform,
  owner: string | null = 'group:default/payments',
): Promise<Named> {
  const id = fresh('project');
  await arrange(platform, 'POST', 'projects', { id });
  await arrange(platform, 'PUT', `projects/${id}`, { owner });
  return { params: { key: id, projectId: id } };
}

/** Creates a flag with one of everything that a flag may have. */
async function createFlag(
  platform: Platform,
  projectId: string,
): Promise<Named> {
  const featureName = fresh('flag');
  await arrange(platform, 'POST', 'features', {
    name: featureName,
    project: projectId,
    type: 'release',
    dependencies: [{ feature: 'parent' }],
    tags: [{ type: 'simple', value: 'tagged' }],
  });
  const { links, environments } = await arrange(
    platform,
    'POST',
    `projects/${projectId}/features/${featureName}/link`,
    { url: 'https://example.org/' },
  );
  const { name: environment, strategies } = environments.find(
    ({ name }: { name: string }) => name === 'development',
  );
  return {
    params: {
      featureName,
      projectId,
      environment,
      strategyId: strategies[0].id,
      linkId: links[0].id,
      parent: 'parent',
      type: 'simple',
      value: 'tagged',
    },
  };
}

async function createOwnFlag(platform: Platform): Promise<Named> {
  const { params } = await createProject(platform);
  return createFlag(platform, params.projectId);
}

/**
 * Creates a change request for another person to approve: a change of a flag in a protected
 * environment.
 */
async function requestChange(platform: Platform): Promise<Asked> {
  const { params } = await createOwnFlag(platform);
  const { projectId, featureName } = params;
  const environment = fresh('place');
  await arrange(platform, 'POST', 'environments', {
    name: environment,
    protected: true,
  });
  const { changeRequest } = await arrange(
    platform,
    'POST',
    `projects/${projectId}/features/${featureName}/environments/${environment}/on`,
  );
  return { params: { id: String(changeRequest.id) } };
}

async function createSchedule(platform: Platform): Promise<Asked> {
  const { params } = await createOwnFlag(platform);
  const { projectId, featureName, environment } = params;
  const { id } = await arrange(
    platform,
    'POST',
    `projects/${projectId}/features/${featureName}/environments/${environment}/schedules`,
    {
      steps: [
        { at: new Date(Date.now() + 3_600_000).toISOString(), enabled: true },
      ],
    },
  );
  return { params: { id: String(id) } };
}

/** Turns on a flag and returns this change. */
async function changeFlag(platform: Platform): Promise<Asked> {
  const { params } = await createOwnFlag(platform);
  const { featureName } = params;
  await arrange(platform, 'POST', `features/${featureName}/toggle/on`);
  const { events } = await arrange(
    platform,
    'GET',
    `events?featureName=${featureName}&limit=1`,
  );
  return { params: { id: String(events[0].id) } };
}

/** Creates a record whose `id` or `key` is used in paths. */
async function createRecord(
  platform: Platform,
  options: { member: 'id' | 'name'; kind: string; body: object },
): Promise<Asked> {
  const { member, kind, body } = options;
  const record = await arrange(platform, 'POST', kind, body);
  const key = String(record[member]);
  return { params: { key, id: key } };
}

/** Requests for the routes of the feature-flag service. */
export const flagRequests: PartRequests = {
  part: 'featureFlags',
  credentials: {
    'client token': { headers: { authorization: CLIENT_TOKEN } },
    'frontend token': { headers: { authorization: FRONTEND_TOKEN } },
    'admin token': { headers: { authorization: ADMIN_TOKEN } },
  },
  objects: {
    'a component': componentOfOwner,
    'no webhook': noWebhook,
    'flag of the owner': createOwnFlag,
    'flag of nobody': platform => createFlag(platform, 'default'),
    'archived flag of the owner': async platform => {
      const flag = await createOwnFlag(platform);
      const { featureName } = flag.params;
      await arrange(platform, 'DELETE', `features/${featureName}`);
      return flag;
    },
    'a segment': platform =>
      createRecord(platform, {
        member: 'id',
        kind: 'segments',
        body: { name: fresh('segment'), constraints: [] },
      }),
    'project of the owner': createProject,
    'project of nobody': platform => createProject(platform, null),
    'change request of the owner': requestChange,
    'schedule of the owner': createSchedule,
    'change of the owner': changeFlag,
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
    'a type of tags': platform =>
      createRecord(platform, {
        member: 'name',
        kind: 'tag-types',
        body: { name: fresh('type') },
      }),
    'a token': platform =>
      createRecord(platform, {
        member: 'id',
        kind: 'api-tokens',
        body: { type: 'client', tokenName: fresh('token') },
      }),
    'a webhook': platform =>
      createRecord(platform, { member: 'id', kind: 'webhooks', body: webhook }),
    'a channel': platform =>
      createRecord(platform, {
        member: 'id',
        kind: 'notices',
        body: {
          name: fresh('channel'),
          kind: 'webhook',
          url: webhook.url,
          // Else every change of a flag would look up a host that does not exist.
          enabled: false,
        },
      }),
  },
  routes: {
    // There is no such webhook; only permitted callers learn that.
    'POST /api/v1/administration/webhooks/{id}/redeliveries': {
      accepted: 404,
    },
    'GET /api/client/streaming': { accepted: 429 },
    'GET /api/admin/stream': { accepted: 429 },
    'PUT /api/admin/change-requests/{id}/state': {
      body: { state: 'Cancelled' },
    },
    // No feedback service is configured; only permitted callers learn that.
    'POST /api/admin/features/{featureName}/issue': { accepted: 503 },
    // The schedule is active; only permitted callers learn that.
    'POST /api/admin/schedules/{id}/resume': { accepted: 409 },
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
        'POST /api/admin/projects/{key}/imports',
        'POST /api/admin/definitions/apply',
        'POST /api/admin/definitions/diff',
        'POST /api/admin/features-batch/export',
        'POST /api/admin/features-batch/import',
        'POST /api/admin/features-batch/validate',
        'POST /api/admin/state/import',
        'POST /api/admin/playground/features',
        'POST /api/admin/change-requests/{id}/comments',
        'POST /api/admin/environments',
        'POST /api/admin/context',
        'POST /api/admin/tag-types',
        'POST /api/admin/segments',
        'POST /api/admin/projects/{projectId}/features',
        `POST ${FEATURE}/changeProject`,
        `POST ${FEATURE}/dependencies`,
        `POST ${FEATURE}/link`,
        `POST ${PLACE}/schedules`,
        `PUT ${PLACE}/variants`,
        `POST ${PLACE}/strategies`,
        `POST ${PLACE}/strategies/set-sort-order`,
        `PUT ${PLACE}/strategies/{strategyId}`,
        'POST /api/admin/api-tokens',
        'POST /api/admin/api-tokens/{id}/rotate',
        'POST /api/admin/webhooks',
        'POST /api/admin/notices',
        'PUT /api/admin/code-references',
      ].map(route => [route, EMPTY]),
    ),
  },
};
