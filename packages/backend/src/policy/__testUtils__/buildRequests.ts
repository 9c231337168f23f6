import {
  basic,
  READ_TOKEN,
  SECRETS,
  TRIGGER_TOKEN,
} from '@slipway/build-server/src/__testUtils__/startBuildServer.ts';
import type { Platform } from './Platform';
import {
  noWebhook,
  asAdmin,
  type Asked,
  bearer,
  componentOfOwner,
  EMPTY,
  fresh,
  type PartRequests,
} from './requestParts';

const trigger = { authorization: basic('dev', TRIGGER_TOKEN) };

/** Returns the body with which an agent enrols. */
const enrolmentOf = (token: string) => ({
  token,
  name: fresh('agent'),
  capacity: 1,
});

/** Creates a one-time enrolment token for an agent. */
async function invite(platform: Platform): Promise<string> {
  const { token } = await platform.arrange(
    'buildServer',
    asAdmin(platform, { method: 'POST', path: '/agents/enrolments', body: {} }),
  );
  return token;
}

async function enrol(
  platform: Platform,
): Promise<{ id: string; token: string }> {
  return platform.arrange('buildServer', {
    method: 'POST',
    path: '/agent/enrolment',
    body: enrolmentOf(await invite(platform)),
  });
}

/** Starts a build that waits for an approval. */
async function startGated(platform: Platform): Promise<Asked> {
  const { headers } = await platform.ask('buildServer', {
    method: 'POST',
    path: '/job/gated/build',
    headers: trigger,
  });
  const item = new URL(headers.location!).pathname;
  const ask = (path: string) =>
    platform.arrange('buildServer', { method: 'GET', path, headers: trigger });
  return vi.waitFor(
    async () => {
      const { executable } = await ask(`${item}api/json`);
      const build = String(executable.number);
      const { approvals } = await ask(`/job/gated/${build}/approvals`);
      expect(approvals).toHaveLength(1);
      return { params: { job: 'gated', build } };
    },
    { timeout: 20_000, interval: 50 },
  );
}

/** Starts a build and waits until it has finished: a running one cannot be deleted. */
async function runBuild(platform: Platform): Promise<Asked> {
  const { headers } = await platform.ask('buildServer', {
    method: 'POST',
    path: '/job/shop/build',
    headers: trigger,
  });
  const item = new URL(headers.location!).pathname;
  const ask = (path: string) =>
    platform.arrange('buildServer', { method: 'GET', path, headers: trigger });
  return vi.waitFor(
    async () => {
      const { executable } = await ask(`${item}api/json`);
      const build = String(executable.number);
      const { building } = await ask(`/job/shop/${build}/api/json`);
      expect(building).toBe(false);
      return { params: { job: 'shop', build } };
    },
    { timeout: 20_000, interval: 50 },
  );
}

/** Requests for the routes of the build server. */
export const buildRequests: PartRequests = {
  part: 'buildServer',
  credentials: {
    'Basic: trigger': { headers: trigger },
    'Basic: read': {
      headers: { authorization: basic('viewer', READ_TOKEN) },
    },
    'webhook token': { query: `token=${SECRETS['hello-webhook']}` },
    'agent token': async platform => bearer((await enrol(platform)).token),
  },
  objects: {
    'a component': componentOfOwner,
    'no webhook': noWebhook,
    'job of the owner': () => ({ params: { job: 'shop' } }),
    'a view': () => ({ params: { view: 'all' } }),
    'a secret': () => ({ params: { name: fresh('secret') } }),
    'a computer': () => ({ params: { name: '(built-in)' } }),
    'its build': runBuild,
    'a decision that waits': startGated,
    'a test of no job': () => ({
      params: { job: 'shop', test: '0'.repeat(32) },
    }),
    'its queue item': async platform => {
      const { headers } = await platform.ask('buildServer', {
        method: 'POST',
        path: '/job/shop/build?delay=600',
        headers: trigger,
      });
      const [, id] = /item\/(\d+)/.exec(headers.location ?? '') ?? [];
      return { params: { id }, query: `id=${id}` };
    },
    'an agent': async platform => ({
      params: { agent: (await enrol(platform)).id },
    }),
    'an enrolment token': async platform => ({
      body: enrolmentOf(await invite(platform)),
    }),
    'no enrolment token': () => ({ body: enrolmentOf('wrong') }),
    'cache of no build': () => ({
      params: { id: '1', name: 'store', key: 'a'.repeat(64) },
      query: 'session=0123456789abcdef&attempt=1',
    }),
    'build of no agent': () => ({
      params: { id: '1' },
      query: 'session=0123456789abcdef&attempt=1&offset=0',
    }),
  },
  routes: {
    // There is no such webhook; only permitted callers learn that.
    'POST /api/v1/administration/webhooks/{id}/redeliveries': {
      accepted: 404,
    },
    // No key for secrets is configured; only permitted callers learn that.
    'PUT /secrets/{name}': EMPTY,
    'DELETE /secrets/{name}': { accepted: 404 },
    // The built-in computer cannot be taken offline; only permitted callers learn that.
    'POST /computer/{name}/toggleOffline': { accepted: 404 },
    // The build has neither tests nor artifacts.
    'GET /job/{job}/{build}/testReport/api/json': { accepted: 404 },
    'GET /job/{job}/{build}/artifact/{*}': { accepted: 404 },
    'GET /usage': { query: 'from=2026-11-01&to=2026-11-02' },
    'GET /job/{job}/{build}/log/search': { query: 'text=hello' },
    'GET /job/{job}/{build}/log/lines': {
      query: 'section=0&from=0',
    },
    'GET /job/{job}/tests/{test}': { accepted: 404 },
    'PUT /job/{job}/{build}/kept': { body: { reason: 'Released' } },
    'PUT /job/{job}/{build}/about': { body: { displayName: '2.4.0' } },
    'POST /job/{job}/{build}/submitDescription': {
      query: 'description=Released',
    },
    'POST /job/{job}/{build}/approvals': {
      body: { step: 'Approve', decision: 'approve' },
    },
    'POST /agent/builds/{id}/gates': {
      accepted: 409,
      body: { step: 'Approve', approval: {} },
    },
    'GET /agent/builds/{id}/others': { accepted: 409, query: 'job=shop' },
    'GET /agent/builds/{id}/others/file': {
      accepted: 409,
      query: 'job=shop&number=1&path=a',
    },
    'GET /agent/builds/{id}/caches/{name}/{key}': { accepted: 409 },
    'PUT /agent/builds/{id}/caches/{name}/{key}': EMPTY,
    'POST /agent/session': EMPTY,
    'POST /agent/work': EMPTY,
    'POST /agent/renewal': EMPTY,
    // An agent gets a conflict because the build is not its own; other callers do not learn that.
    'POST /agent/builds/{id}/acceptance': { accepted: 409 },
    'PUT /agent/builds/{id}/progress': { accepted: 409, body: { steps: [] } },
    'PUT /agent/builds/{id}/outcome': {
      accepted: 409,
      body: { steps: [], result: 'SUCCESS', reason: null, tests: null },
    },
    'PUT /agent/builds/{id}/log': EMPTY,
    'PUT /agent/builds/{id}/artifacts/{*}': EMPTY,
  },
};
