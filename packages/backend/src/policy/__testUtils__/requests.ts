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
import { KEY, PNG } from '@slipway/feedback/src/__testUtils__/startFeedback.ts';
import { FORGE_SECRET } from '@slipway/space-metrics/src/__testUtils__/startSpaceMetrics.ts';
import { flagRequests } from './flagRequests';
import type { Platform } from './Platform';
import { portalRequests } from './portalRequests';
import {
  apiKey,
  asAdmin,
  asOwner,
  type Asked,
  bearer,
  EMPTY,
  fresh,
  githubSignature,
  type PartRequests,
  type RouteRequest,
  webhook,
  componentOfOwner,
} from './requestParts';

/** An event of an SDK in the address. */
const PIXEL_EVENT: RouteRequest = {
  query: `data=${encodeURIComponent('{"event":"x","distinct_id":"1"}')}`,
};

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

/** How the routes of each part are asked, by the heading of its table. */
export const requests: Record<string, PartRequests> = {
  ...portalRequests,
  'SPACE metrics': {
    part: 'spaceMetrics',
    credentials: {
      key: apiKey('test-space-key'),
      'forge signature': githubSignature(FORGE_SECRET),
    },
    objects: {
      'a component': componentOfOwner,
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
      'a component': componentOfOwner,
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
  'Feature flags': flagRequests,
  Analytics: {
    part: 'analytics',
    credentials: {
      'project key': apiKey(PROJECT_KEY),
      'API token': bearer(API_TOKEN),
    },
    objects: {
      'a component': componentOfOwner,
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
      'a component': componentOfOwner,
      'job of the owner': () => ({ params: { job: 'shop' } }),
      'a computer': () => ({ params: { name: '(built-in)' } }),
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
    // The build has neither tests nor artifacts.
    routes: {
      'GET /job/{job}/{build}/testReport/api/json': { accepted: 404 },
      'GET /job/{job}/{build}/artifact/{*}': { accepted: 404 },
    },
  },
  'Design site': {
    part: 'designSite',
    credentials: {},
    objects: {},
    // The site is not built here.
    routes: { 'GET /ready': { accepted: 503 }, 'GET /*': { accepted: 503 } },
  },
};
