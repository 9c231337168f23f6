import { createHmac, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  API_TOKEN,
  PROJECT_KEY,
} from '@slipway/analytics/src/__testUtils__/startAnalytics.ts';
import {
  basic,
  READ_TOKEN,
  SECRETS,
  TRIGGER_TOKEN,
} from '@slipway/build-server/src/__testUtils__/startBuildServer.ts';
import {
  ADMIN_TOKEN,
  CLIENT_TOKEN,
} from '@slipway/feature-flags/src/__testUtils__/startFeatureFlags.ts';
import { KEY, PNG } from '@slipway/feedback/src/__testUtils__/startFeedback.ts';
import { FORGE_SECRET } from '@slipway/space-metrics/src/__testUtils__/startSpaceMetrics.ts';
import type { PartName, Platform, PlatformRequest } from './Platform';

/** What a request of a row is made of. */
export interface Asked {
  /** Values of the path's parameters. */
  params?: Record<string, string>;
  query?: string;
  /** Stands in an answer that shows all of the object. */
  text?: string;
}

/** What a caller sends to say who it is, beside the request. */
export interface Credential {
  headers?: Record<string, string>;
  query?: string;
  /** Signs the body, where the route takes a signature. */
  sign?(body: string): Record<string, string>;
}

/** The answer of routes that want a body: callers who may get 400 for an empty one. */
const EMPTY: RouteRequest = { accepted: 400 };

/** An event of an SDK in the address. */
const PIXEL_EVENT: RouteRequest = {
  query: `data=${encodeURIComponent('{"event":"x","distinct_id":"1"}')}`,
};

/** What a request of a route holds, whatever it is about. */
export interface RouteRequest {
  query?: string;
  body?: unknown;
  /** The status of a caller who may, as the request is one that changes nothing. */
  accepted?: 400 | 409 | 503;
}

/** How the routes of one part of the policy are asked. */
export interface PartRequests {
  part: PartName;
  /** Credentials of roles that only this part has. */
  credentials: Record<string, Credential>;
  /** Makes an object, of which nothing is changed yet; by its name in the table. */
  objects: Record<string, (platform: Platform) => Promise<Asked> | Asked>;
  /** How routes are asked that want more than an empty object, by method and path. */
  routes: Record<string, RouteRequest>;
}

const bearer = (token: string): Credential => ({
  headers: { authorization: `Bearer ${token}` },
});
const apiKey = (key: string): Credential => ({ headers: { 'x-api-key': key } });
const githubSignature = (secret: string): Credential => ({
  sign: body => ({
    'x-github-event': 'ping',
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret)
      .update(body)
      .digest('hex')}`,
  }),
});

/** What is no credential of anything, in each of the ways that one is sent. */
export const WRONG: readonly Credential[] = [
  bearer('wrong'),
  bearer('eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c2VyOmRlZmF1bHQvYWRhIn0.'),
  { headers: { authorization: basic('dev', 'wrong') } },
  { headers: { cookie: 'backstage-auth=wrong' } },
  apiKey('wrong'),
];

/** Roles that are the same for all parts. */
export function commonCredentials(
  platform: Platform,
): Record<string, Credential> {
  const { ada, grace, lin } = platform.sessions;
  return {
    anonymous: {},
    user: bearer(lin),
    owner: bearer(grace),
    admin: bearer(ada),
    'service token': bearer('dev-service-token'),
  };
}

const PORTAL_TOKENS = {
  'catalog token': bearer('dev-catalog-token'),
  'token of feedback': bearer('dev-feedback-token'),
  'token of SPACE': bearer('dev-space-metrics-token'),
  'token of builds': bearer('dev-build-server-token'),
};

const portal = { part: 'portal', credentials: PORTAL_TOKENS } as const;

const asOwner = (platform: Platform, request: PlatformRequest) => ({
  ...request,
  headers: { authorization: `Bearer ${platform.sessions.grace}` },
});
const asAdmin = (platform: Platform, request: PlatformRequest) => ({
  ...request,
  headers: { authorization: `Bearer ${platform.sessions.ada}` },
});

let made = 0;
/** A name that nothing has yet. */
function fresh(prefix: string): string {
  made += 1;
  return `${prefix}-${made}`;
}

/** Feedback with words that nothing else says. */
async function submitFeedback(
  platform: Platform,
  headers: Record<string, string> = {},
): Promise<Required<Pick<Asked, 'params' | 'text'>>> {
  const text = `${fresh('zanzibar')}.`;
  const { id } = await platform.arrange('feedback', {
    method: 'POST',
    path: '/api/v1/feedback',
    headers,
    body: {
      rating: 2,
      category: 'Other',
      message: `We call this search ${text}`,
      screenshot: PNG,
    },
  });
  return { params: { id }, text };
}

/** The issue that feedback becomes. */
async function issueOf(
  platform: Platform,
  { params: { id }, text }: Required<Pick<Asked, 'params' | 'text'>>,
): Promise<Asked> {
  await platform.arrange(
    'feedback',
    asAdmin(platform, {
      method: 'PUT',
      path: `/api/v1/feedback/${id}/status`,
      body: { status: 'validated' },
    }),
  );
  await platform.arrange('feedback', {
    method: 'POST',
    path: '/api/v1/automation/process-validated',
    headers: { 'x-api-key': KEY },
    body: {},
  });
  const { tracker_issue } = await platform.arrange(
    'feedback',
    asAdmin(platform, { method: 'GET', path: `/api/v1/feedback/${id}` }),
  );
  return { params: { number: String(tracker_issue.number) }, text };
}

const ownHeaders = ({ sessions }: Platform) => ({
  authorization: `Bearer ${sessions.grace}`,
});

const webhook = {
  url: 'https://hooks.example.org/x',
  events: ['*'],
  secret: 'a-secret-of-many-letters',
};

/** A workspace of grace, with a name that nothing else has. */
async function createWorkspace(platform: Platform): Promise<Asked> {
  const name = `${fresh('zanzibar')}-w`;
  const { workspaceId } = await platform.arrange(
    'portal',
    asOwner(platform, {
      method: 'POST',
      path: '/api/ide-launcher/workspaces',
      body: { devfileUrl: `${platform.forge}/devfile.yaml`, name },
    }),
  );
  return { params: { workspaceId }, text: name };
}

/** When somebody worked, which not everybody is told. */
const COMMITTED_AT = '2026-11-20T11:00:00.000Z';

/** How the routes of each part are asked, by the heading of its table. */
export const requests: Record<string, PartRequests> = {
  'Portal: root': { ...portal, objects: {}, routes: {} },
  'Portal: sign-in': {
    ...portal,
    objects: {},
    routes: { 'GET /api/auth/dev/refresh': { query: 'user=grace' } },
  },
  'Portal: proxy': { ...portal, objects: {}, routes: {} },
  'Portal: own flags': { ...portal, objects: {}, routes: {} },
  'Portal: workspaces': {
    ...portal,
    objects: {
      'workspace of the owner': createWorkspace,
      'its log': async platform => {
        const { params } = await createWorkspace(platform);
        return { params };
      },
    },
    routes: {
      'POST /api/ide-launcher/workspaces': { accepted: 400 },
      'POST /api/ide-launcher/devfile/preview': { accepted: 400 },
      // It is not running: that is only said to who may.
      'POST /api/ide-launcher/workspaces/{workspaceId}/extend': {
        accepted: 409,
      },
      'POST /api/ide-launcher/workspaces/{workspaceId}/ticket': {
        accepted: 409,
      },
    },
  },
  'Portal: deliveries': {
    ...portal,
    credentials: {
      ...PORTAL_TOKENS,
      'forge signature': githubSignature('dev-webhook-secret'),
    },
    objects: {
      'deployment of the owner': async platform => {
        const sha = randomBytes(20).toString('hex');
        const send = (kind: string, body: object) =>
          platform.arrange('portal', {
            method: 'POST',
            path: `/api/delivery-lake/${kind}`,
            headers: { authorization: 'Bearer dev-service-token' },
            body,
          });
        await send('changes', {
          repository: 'shop',
          sha,
          author: 'Zelda',
          committedAt: COMMITTED_AT,
        });
        await send('deployments', {
          id: fresh('deployment'),
          service: 'shop',
          environment: 'prod',
          repository: 'shop',
          startedAt: '2026-11-20T12:00:00Z',
          finishedAt: '2026-11-20T12:01:00Z',
          commit: { sha },
          changes: [sha],
        });
        const id = await vi.waitFor(
          async () => {
            const { deployments } = await platform.arrange(
              'portal',
              asAdmin(platform, {
                method: 'GET',
                path: '/api/delivery-lake/deployments?service=shop',
              }),
            );
            // The lake learns from the catalog, a while after that has started, whose it is.
            expect(deployments[0].team).not.toBeNull();
            return deployments[0].id as string;
          },
          { timeout: 60_000, interval: 500 },
        );
        return { params: { id }, text: COMMITTED_AT };
      },
      'a job': async platform => {
        const { id } = await platform.arrange('portal', {
          method: 'POST',
          path: '/api/delivery-lake/rebuild',
          headers: { authorization: 'Bearer dev-service-token' },
        });
        return { params: { id } };
      },
      GitHub: () => ({ params: { forge: 'github' } }),
      'a pipeline': () => ({ params: { path: 'connections/1/deployments' } }),
    },
    routes: {
      'GET /api/delivery-lake/deployment-history': EMPTY,
      'POST /api/delivery-lake/deployments': EMPTY,
      'POST /api/delivery-lake/incidents': EMPTY,
      'POST /api/delivery-lake/changes': EMPTY,
      'POST /api/delivery-lake/events': EMPTY,
      'POST /api/delivery-lake/webhooks/{forge}': EMPTY,
      'POST /api/delivery-lake/webhooks/devlake/{path}': EMPTY,
    },
  },
  'Portal: catalog': {
    ...portal,
    objects: {
      'component of the owner': () => ({
        params: {
          kind: 'component',
          namespace: 'default',
          name: 'shop',
        },
      }),
      'an entity that is not there': () => ({
        params: { uid: '00000000-0000-0000-0000-000000000000' },
      }),
      'a location': async platform => {
        const name = fresh('registered');
        const file = path.join(platform.folder, `${name}.yaml`);
        await writeFile(
          file,
          JSON.stringify({
            apiVersion: 'backstage.io/v1alpha1',
            kind: 'Component',
            metadata: { name },
            spec: { type: 'service', lifecycle: 'production', owner: 'search' },
          }),
        );
        const { locationId } = await platform.arrange(
          'portal',
          asAdmin(platform, {
            method: 'POST',
            path: '/api/catalog/locations',
            body: { type: 'file', target: file },
          }),
        );
        return { params: { id: locationId } };
      },
    },
    routes: {
      'POST /api/catalog/refresh': {
        body: { entityRef: 'component:default/shop' },
      },
      'GET /api/catalog/entity-facets': { query: 'facet=kind' },
      'POST /api/catalog/entity-facets': EMPTY,
      'POST /api/catalog/locations': EMPTY,
      'POST /api/catalog/analyze-location': EMPTY,
      'POST /api/catalog/validate-entity': EMPTY,
      'POST /api/catalog/entities/by-refs': EMPTY,
      'PUT /api/catalog/locations/{id}': EMPTY,
    },
  },
  'SPACE metrics': {
    part: 'spaceMetrics',
    credentials: {
      key: apiKey('test-space-key'),
      'forge signature': githubSignature(FORGE_SECRET),
    },
    objects: {
      'answers of the owner': async platform => {
        const text = fresh('zanzibar');
        await platform.arrange(
          'spaceMetrics',
          asOwner(platform, {
            method: 'POST',
            path: '/api/v1/friction-log/submit',
            body: {
              user_id: 'grace',
              category: 'build',
              description: `${text} is slow`,
              severity: 'low',
              time_lost_minutes: 5,
            },
          }),
        );
        return { params: { id: 'grace' }, text };
      },
      'a dimension': () => ({ params: { dimension: 'satisfaction' } }),
      GitHub: () => ({ params: { forge: 'github' } }),
    },
    routes: {
      'POST /api/v1/surveys/pulse/submit': EMPTY,
      'GET /api/v1/surveys/pulse/reminder': { query: 'user_id=grace' },
      'PUT /api/v1/surveys/pulse/reminder': EMPTY,
      'POST /api/v1/friction-log/submit': EMPTY,
      'POST /api/v1/cognitive-load/submit': EMPTY,
      'POST /api/v1/activity/events': EMPTY,
      'POST /api/v1/activity/chat': EMPTY,
    },
  },
  Feedback: {
    part: 'feedback',
    credentials: { key: apiKey(KEY) },
    objects: {
      'feedback of the owner': platform =>
        submitFeedback(platform, ownHeaders(platform)),
      'feedback of nobody': platform => submitFeedback(platform),
      'screenshot of the owner': async platform => {
        const { params } = await submitFeedback(platform, ownHeaders(platform));
        return { params };
      },
      'screenshot of nobody': async platform => {
        const { params } = await submitFeedback(platform);
        return { params };
      },
      'issue of the owner': async platform =>
        issueOf(platform, await submitFeedback(platform, ownHeaders(platform))),
      'issue of nobody': async platform =>
        issueOf(platform, await submitFeedback(platform)),
      'a webhook': async platform => {
        const { id } = await platform.arrange(
          'feedback',
          asAdmin(platform, {
            method: 'POST',
            path: '/api/v1/webhooks',
            body: webhook,
          }),
        );
        return { params: { id } };
      },
    },
    routes: {
      'POST /api/v1/feedback': {
        body: { rating: 4, category: 'Other', message: 'Fine' },
      },
      'PUT /api/v1/feedback/{id}/status': { body: { status: 'archived' } },
      'PUT /api/v1/issues/{number}': { body: { state: 'closed' } },
      'POST /api/v1/bot/messages': { body: { text: 'status' } },
      'POST /api/v1/webhooks': { body: webhook },
    },
  },
  'Feature flags': {
    part: 'featureFlags',
    credentials: {
      'client token': { headers: { authorization: CLIENT_TOKEN } },
      'admin token': { headers: { authorization: ADMIN_TOKEN } },
    },
    objects: {
      'a flag': async platform => {
        const featureName = fresh('flag');
        await platform.arrange('featureFlags', {
          method: 'POST',
          path: '/api/admin/features',
          headers: { authorization: ADMIN_TOKEN },
          body: { name: featureName, type: 'release' },
        });
        return { params: { featureName } };
      },
      'an archived flag': async platform => {
        const featureName = fresh('flag');
        const headers = { authorization: ADMIN_TOKEN };
        await platform.arrange('featureFlags', {
          method: 'POST',
          path: '/api/admin/features',
          headers,
          body: { name: featureName, type: 'release' },
        });
        await platform.arrange('featureFlags', {
          method: 'DELETE',
          path: `/api/admin/features/${featureName}`,
          headers,
        });
        return { params: { featureName } };
      },
      'a token': async platform => {
        const { id } = await platform.arrange('featureFlags', {
          method: 'POST',
          path: '/api/admin/api-tokens',
          headers: { authorization: ADMIN_TOKEN },
          body: {
            name: fresh('token'),
            type: 'client',
            tokenName: fresh('token'),
          },
        });
        return { params: { id } };
      },
      'a webhook': async platform => {
        const { id } = await platform.arrange('featureFlags', {
          method: 'POST',
          path: '/api/admin/webhooks',
          headers: { authorization: ADMIN_TOKEN },
          body: webhook,
        });
        return { params: { id } };
      },
    },
    routes: {
      'POST /api/client/register': EMPTY,
      'POST /api/client/metrics': EMPTY,
      'POST /api/admin/features': EMPTY,
      'POST /api/admin/api-tokens': EMPTY,
      'POST /api/admin/webhooks': EMPTY,
    },
  },
  Analytics: {
    part: 'analytics',
    credentials: {
      'project key': apiKey(PROJECT_KEY),
      'API token': bearer(API_TOKEN),
    },
    objects: {
      'project of the token': () => ({ params: { projectId: 'shop' } }),
      'another project': () => ({ params: { projectId: 'other' } }),
      'project of admins': async platform => {
        const projectId = fresh('admins');
        await platform.arrange(
          'analytics',
          asAdmin(platform, {
            method: 'POST',
            path: '/api/projects',
            body: { id: projectId, name: 'Admins', readers: [] },
          }),
        );
        return { params: { projectId } };
      },
      'a project key': () => ({ params: { key: PROJECT_KEY } }),
      'a script': () => ({
        params: { script: 'array.js', version: '1.449.2' },
      }),
      'a credential': async platform => {
        const created = await platform.arrange(
          'analytics',
          asAdmin(platform, {
            method: 'POST',
            path: '/api/projects/shop/credentials',
            body: { kind: 'capture', name: fresh('key') },
          }),
        );
        return {
          params: { projectId: 'shop', credentialId: created.credential.id },
        };
      },
    },
    routes: {
      'POST /api/query': {
        body: { query: { kind: 'EventsQuery', select: ['event'] } },
      },
      'POST /api/projects/{projectId}/query': {
        body: { query: { kind: 'EventsQuery', select: ['event'] } },
      },
      'POST /api/environments/{projectId}/query': {
        body: { query: { kind: 'EventsQuery', select: ['event'] } },
      },
      'POST /api/capture': { body: { event: 'x', distinct_id: '1' } },
      'POST /api/batch': EMPTY,
      'GET /batch': PIXEL_EVENT,
      'GET /capture': PIXEL_EVENT,
      'GET /e': PIXEL_EVENT,
      'GET /engage': PIXEL_EVENT,
      'GET /i/v0/e': PIXEL_EVENT,
      'GET /track': PIXEL_EVENT,
      'POST /api/projects': EMPTY,
      'POST /api/projects/{projectId}/credentials': EMPTY,
    },
  },
  'Build server': {
    part: 'buildServer',
    credentials: {
      'Basic: trigger': {
        headers: { authorization: basic('dev', TRIGGER_TOKEN) },
      },
      'Basic: read': {
        headers: { authorization: basic('viewer', READ_TOKEN) },
      },
      'webhook token': { query: `token=${SECRETS['hello-webhook']}` },
    },
    objects: {
      'job of the owner': () => ({ params: { job: 'shop' } }),
      'its build': async platform => {
        const headers = { authorization: basic('dev', TRIGGER_TOKEN) };
        await platform.ask('buildServer', {
          method: 'POST',
          path: '/job/shop/build',
          headers,
        });
        for (let tries = 0; tries < 100; tries += 1) {
          const answer = await platform.ask('buildServer', {
            method: 'GET',
            path: '/job/shop/lastBuild/api/json',
            headers,
          });
          if (answer.status === 200) {
            return {
              params: {
                job: 'shop',
                build: String(JSON.parse(answer.text).number),
              },
            };
          }
          await new Promise(resolve => setTimeout(resolve, 50));
        }
        throw new Error('The build did not start');
      },
      'its queue item': async platform => {
        const { headers } = await platform.ask('buildServer', {
          method: 'POST',
          path: '/job/shop/build?delay=600',
          headers: { authorization: basic('dev', TRIGGER_TOKEN) },
        });
        const [, id] = /item\/(\d+)/.exec(headers.get('location') ?? '') ?? [];
        return { params: { id }, query: `id=${id}` };
      },
    },
    routes: {},
  },
  'Design site': {
    part: 'designSite',
    credentials: {},
    objects: {},
    // The site is not built here.
    routes: { 'GET /ready': { accepted: 503 }, 'GET /*': { accepted: 503 } },
  },
};
