import {
  API_TOKEN,
  PROJECT_KEY,
} from '@slipway/analytics/src/__testUtils__/startAnalytics.ts';
import type { Platform } from './Platform';
import {
  noWebhook,
  apiKey,
  asAdmin,
  asOwner,
  type Asked,
  bearer,
  componentOfOwner,
  EMPTY,
  fresh,
  type PartRequests,
  type RouteRequest,
} from './requestParts';

/** An SDK event in the query string. */
const PIXEL_EVENT: RouteRequest = {
  query: `data=${encodeURIComponent('{"event":"x","distinct_id":"1"}')}`,
};

const QUERY = { query: { kind: 'EventsQuery', select: ['event'] } };

async function createProject(platform: Platform): Promise<string> {
  const id = fresh('admins');
  await platform.arrange(
    'analytics',
    asAdmin(platform, {
      method: 'POST',
      path: '/api/projects',
      body: { id, name: 'Admins', readers: [] },
    }),
  );
  return id;
}

/** Creates a key for sending events and returns it. */
function createKey(
  platform: Platform,
  projectId: string,
): Promise<{ credential: { id: string }; secret: string }> {
  return platform.arrange(
    'analytics',
    asAdmin(platform, {
      method: 'POST',
      path: `/api/projects/${projectId}/credentials`,
      body: { kind: 'capture', name: fresh('key') },
    }),
  );
}

/** Creates a person by sending an event of a project. */
async function seePerson(
  platform: Platform,
  { projectId, key }: { projectId: string; key: string },
): Promise<Asked> {
  const distinctId = fresh('zanzibar');
  await platform.arrange('analytics', {
    method: 'POST',
    path: '/api/capture',
    body: { api_key: key, event: 'x', distinct_id: distinctId },
  });
  await vi.waitFor(
    () =>
      platform.arrange(
        'analytics',
        asAdmin(platform, {
          method: 'GET',
          path: `/api/projects/${projectId}/persons/${distinctId}`,
        }),
      ),
    { timeout: 10_000 },
  );
  return { params: { projectId, distinctId } };
}

/** Creates a group by sending an event of it. */
async function seeGroup(platform: Platform): Promise<Asked> {
  const key = fresh('zanzibar');
  await platform.arrange('analytics', {
    method: 'POST',
    path: '/api/capture',
    body: {
      api_key: PROJECT_KEY,
      event: 'x',
      distinct_id: '1',
      properties: { $groups: { company: key } },
    },
  });
  return { params: { projectId: 'shop', type: 'company', key } };
}

/** Creates an object that belongs to grace, in a project that everyone may read. */
const kept =
  (collection: string, content: object) =>
  async (platform: Platform): Promise<Asked> => {
    const text = fresh('zanzibar');
    const { id } = await platform.arrange(
      'analytics',
      asOwner(platform, {
        method: 'POST',
        path: `/api/projects/shop/${collection}`,
        body: { name: text, ...content },
      }),
    );
    return { params: { projectId: 'shop', id }, text };
  };

/** Creates an annotation that belongs to grace. */
async function annotate(platform: Platform): Promise<Asked> {
  const text = fresh('zanzibar');
  const { id } = await platform.arrange(
    'analytics',
    asOwner(platform, {
      method: 'POST',
      path: '/api/projects/shop/annotations',
      body: { content: text },
    }),
  );
  return { params: { projectId: 'shop', id: String(id) }, text };
}

/** Creates a cohort that belongs to grace, with a user whose id is the cohort's name. */
async function createCohort(platform: Platform): Promise<Asked> {
  const text = fresh('zanzibar');
  await platform.arrange('analytics', {
    method: 'POST',
    path: '/api/capture',
    body: { api_key: PROJECT_KEY, event: 'x', distinct_id: text },
  });
  const { id } = await platform.arrange(
    'analytics',
    asOwner(platform, {
      method: 'POST',
      path: '/api/projects/shop/cohorts',
      body: { name: text, distinct_ids: [text] },
    }),
  );
  return { params: { projectId: 'shop', id: String(id) }, text };
}

/** Creates the definition of an event or a property. */
const defined =
  (collection: 'event_definitions' | 'property_definitions') =>
  async (platform: Platform): Promise<Asked> => {
    const name = fresh('zanzibar');
    await platform.arrange('analytics', {
      method: 'POST',
      path: '/api/capture',
      body: {
        api_key: PROJECT_KEY,
        event: name,
        distinct_id: '1',
        properties: { [name]: 1 },
      },
    });
    return vi.waitFor(
      async () => {
        const { results } = await platform.arrange(
          'analytics',
          asAdmin(platform, {
            method: 'GET',
            path: `/api/projects/shop/${collection}?search=${name}`,
          }),
        );
        return { params: { projectId: 'shop', id: results[0].id }, text: name };
      },
      { timeout: 20_000 },
    );
  };

/** Creates a destination at an address where nothing responds. */
async function createDestination(platform: Platform): Promise<Asked> {
  const id = fresh('destination');
  await platform.arrange(
    'analytics',
    asAdmin(platform, {
      method: 'POST',
      path: '/api/projects/shop/destinations',
      body: { kind: 'webhook', id, url: 'https://receiver.invalid/' },
    }),
  );
  return { params: { projectId: 'shop', destinationId: id } };
}

const INSIGHT = { name: 'Signups', ...QUERY };
const DASHBOARD = { name: 'Signups', tiles: [] };

/** Requests for the routes of the analytics service. */
export const analyticsRequests: PartRequests = {
  part: 'analytics',
  credentials: {
    'project key': apiKey(PROJECT_KEY),
    'API token': bearer(API_TOKEN),
  },
  objects: {
    'a component': componentOfOwner,
    'no webhook': noWebhook,
    'project of the token': () => ({ params: { projectId: 'shop' } }),
    'another project': () => ({ params: { projectId: 'other' } }),
    'project of admins': async platform => ({
      params: { projectId: await createProject(platform) },
    }),
    'a person': platform =>
      seePerson(platform, { projectId: 'shop', key: PROJECT_KEY }),
    'person of admins': async platform => {
      const projectId = await createProject(platform);
      const { secret } = await createKey(platform, projectId);
      return seePerson(platform, { projectId, key: secret });
    },
    'a group': seeGroup,
    'an event': defined('event_definitions'),
    'a property': defined('property_definitions'),
    'insight of the owner': kept('insights', { query: QUERY.query }),
    'annotation of the owner': annotate,
    'cohort of the owner': createCohort,
    'dashboard of the owner': kept('dashboards', { tiles: [] }),
    'a destination': createDestination,
    'a project key': () => ({ params: { key: PROJECT_KEY } }),
    'a script': () => ({
      params: { script: 'array.js', version: '1.449.2' },
    }),
    'a credential': async platform => {
      const { credential } = await createKey(platform, 'shop');
      return { params: { projectId: 'shop', credentialId: credential.id } };
    },
  },
  routes: {
    // There is no such webhook; only permitted callers learn that.
    'POST /api/v1/administration/webhooks/{id}/redeliveries': {
      accepted: 404,
    },
    'POST /api/query': { body: QUERY },
    'POST /api/projects/{projectId}/query': { body: QUERY },
    'POST /api/environments/{projectId}/query': { body: QUERY },
    'POST /api/capture': { body: { event: 'x', distinct_id: '1' } },
    'POST /api/batch': EMPTY,
    'GET /batch': PIXEL_EVENT,
    'GET /capture': PIXEL_EVENT,
    'GET /e': PIXEL_EVENT,
    'GET /engage': PIXEL_EVENT,
    'GET /i/v0/e': PIXEL_EVENT,
    'GET /track': PIXEL_EVENT,
    'POST /v1/logs': { body: { resourceLogs: [] } },
    'GET /api/projects/{projectId}/groups': { query: 'type=company' },
    'POST /api/projects': EMPTY,
    'PATCH /api/projects/{projectId}': EMPTY,
    'POST /api/projects/{projectId}/credentials': EMPTY,
    'POST /api/projects/{projectId}/destinations': EMPTY,
    'PATCH /api/projects/{projectId}/destinations/{destinationId}': {
      body: { paused: true },
    },
    'POST /api/projects/{projectId}/events': EMPTY,
    'POST /api/projects/{projectId}/persons': EMPTY,
    'POST /api/projects/{projectId}/annotations': EMPTY,
    'POST /api/projects/{projectId}/cohorts': EMPTY,
    'PATCH /api/projects/{projectId}/event_definitions/{id}': {
      body: { verified: true },
    },
    'PATCH /api/projects/{projectId}/property_definitions/{id}': {
      body: { verified: true },
    },
    'POST /api/projects/{projectId}/insights': { body: INSIGHT },
    'PUT /api/projects/{projectId}/insights/{id}': { body: INSIGHT },
    'POST /api/projects/{projectId}/dashboards': { body: DASHBOARD },
    'PUT /api/projects/{projectId}/dashboards/{id}': { body: DASHBOARD },
  },
};
