import { KEY, PNG } from '@slipway/feedback/src/__testUtils__/startFeedback.ts';
import { FORGE_SECRET } from '@slipway/space-metrics/src/__testUtils__/startSpaceMetrics.ts';
import { analyticsRequests } from './analyticsRequests';
import { buildRequests } from './buildRequests';
import { flagRequests } from './flagRequests';
import type { Platform } from './Platform';
import { portalRequests } from './portalRequests';
import {
  noWebhook,
  apiKey,
  asAdmin,
  asOwner,
  type Asked,
  EMPTY,
  fresh,
  githubSignature,
  type PartRequests,
  webhook,
  componentOfOwner,
} from './requestParts';

/** Submitted feedback, with a text that no other feedback contains. */
type Submitted = { params: { id: string }; text: string };

/** Submits feedback with a unique text. */
async function submitFeedback(
  platform: Platform,
  headers: Record<string, string> = {},
): Promise<Submitted> {
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

/** Creates the issue for feedback. */
async function issueOf(
  platform: Platform,
  { params: { id }, text }: Submitted,
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

/** Adds a reply to feedback of the owner, whose text it quotes. */
async function replyOf(
  platform: Platform,
  headers: Record<string, string>,
): Promise<Asked> {
  const { params, text } = await submitFeedback(platform, ownHeaders(platform));
  const { id } = await platform.arrange('feedback', {
    method: 'POST',
    path: `/api/v1/feedback/${params.id}/replies`,
    headers,
    body: { message: `As to ${text}` },
  });
  return { params: { ...params, reply: id }, text };
}

/** Submits feedback of the owner, and opens it for voting under a title without its text. */
async function openForVoting(
  platform: Platform,
  title = 'A faster search',
): Promise<Submitted> {
  const asked = await submitFeedback(platform, ownHeaders(platform));
  await platform.arrange(
    'feedback',
    asAdmin(platform, {
      method: 'PUT',
      path: `/api/v1/feedback/${asked.params.id}/voting`,
      body: { title },
    }),
  );
  return asked;
}

/** Requests for the routes of each part, by the heading of its table. */
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
      'no webhook': noWebhook,
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
      // There is no such webhook; only permitted callers learn that.
      'POST /api/v1/administration/webhooks/{id}/redeliveries': {
        accepted: 404,
      },
      'POST /api/v1/surveys/pulse/submit': EMPTY,
      'GET /api/v1/surveys/pulse/reminder': { query: 'user_id=grace' },
      'PUT /api/v1/surveys/pulse/reminder': EMPTY,
      'POST /api/v1/friction-log/submit': EMPTY,
      'POST /api/v1/cognitive-load/submit': EMPTY,
      'POST /api/v1/activity/events': EMPTY,
      'POST /api/v1/activity/chat': EMPTY,
      'POST /api/v1/imports': EMPTY,
      'POST /api/v1/people/erasures': EMPTY,
    },
  },
  Feedback: {
    part: 'feedback',
    credentials: { key: apiKey(KEY) },
    objects: {
      'a component': componentOfOwner,
      'no webhook': noWebhook,
      'feedback of the owner': platform =>
        submitFeedback(platform, ownHeaders(platform)),
      'a namespace': () => ({ params: { namespace: 'nowhere' } }),
      'feedback of nobody': platform => submitFeedback(platform),
      'feedback open for voting': platform => openForVoting(platform),
      'votes for feedback': async platform => {
        const { params } = await openForVoting(platform);
        return { params };
      },
      'a duplicate': async platform => {
        const { params } = await openForVoting(platform);
        return {
          ...(await submitFeedback(platform, ownHeaders(platform))),
          body: { into: params.id },
        };
      },
      'votes of the owner': async platform => {
        const title = fresh('zanzibar');
        await openForVoting(platform, title);
        return {
          params: { id: encodeURIComponent('user:default/grace') },
          text: title,
        };
      },
      'internal note': async platform => ({
        ...(await submitFeedback(platform, ownHeaders(platform))),
        body: { message: 'A duplicate', internal: true },
      }),
      'reply of the owner': platform => replyOf(platform, ownHeaders(platform)),
      'reply of an admin': platform =>
        replyOf(platform, {
          authorization: `Bearer ${platform.sessions.ada}`,
        }),
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
      'POST /api/v1/administration/webhooks/{id}/redeliveries': {
        accepted: 404,
      },
      // Events from before the webhook was created have no deliveries.
      'GET /api/v1/webhooks/deliveries': { needsNewObject: true },
      'POST /api/v1/issues': EMPTY,
      'POST /api/v1/feedback/imports': EMPTY,
      'POST /api/v1/feedback': {
        body: { rating: 4, category: 'Other', message: 'Fine' },
      },
      'PUT /api/v1/feedback/{id}/status': { body: { status: 'archived' } },
      'PUT /api/v1/feedback/{id}/voting': {
        body: { title: 'A faster search' },
      },
      'POST /api/v1/feedback/{id}/replies': {
        body: { message: 'Since when?' },
      },
      'PUT /api/v1/issues/{number}': { body: { state: 'closed' } },
      'POST /api/v1/bot/messages': { body: { text: 'status' } },
      'POST /api/v1/webhooks': { body: webhook },
    },
  },
  'Feature flags': flagRequests,
  Analytics: analyticsRequests,
  'Build server': buildRequests,
  'Design site': {
    part: 'designSite',
    credentials: {},
    objects: {},
    // Tests do not build the site, but it may have been built earlier; no file of it is named `*`.
    routes: {
      'GET /ready': { accepted: 503 },
      'GET /*': { accepted: [404, 503] },
    },
  },
};
