import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Platform } from './Platform';
import { pretendToLoadDemo } from './pretendToLoadDemo';
import {
  asAdmin,
  asOwner,
  type Asked,
  bearer,
  componentOfOwner,
  EMPTY,
  fresh,
  githubSignature,
  type PartRequests,
  type RouteRequest,
} from './requestParts';

const PORTAL_TOKENS = {
  'catalog token': bearer('dev-catalog-token'),
  'token of feedback': bearer('dev-feedback-token'),
  'token of SPACE': bearer('dev-space-metrics-token'),
  'token of builds': bearer('dev-build-server-token'),
};

const portal = { part: 'portal', credentials: PORTAL_TOKENS } as const;

/** Describes routes that start a job of the lake: permitted callers get 409 while one is running. */
const JOB: RouteRequest = { accepted: 409 };

/** Ids of the workspaces that tests have created. */
const workspaceIds: string[] = [];

/**
 * Imports a stopped workspace of grace with a unique name: creating one would also start its
 * editor, which takes much CPU time.
 */
async function createWorkspace(platform: Platform): Promise<Asked> {
  const name = `${fresh('zanzibar')}-w`;
  await platform.arrange(
    'portal',
    asAdmin(platform, {
      method: 'POST',
      path: '/api/ide-launcher/imports',
      body: {
        source: 'policy',
        workspaces: [
          {
            owner: 'user:default/grace',
            name,
            devfileUrl: `${platform.forge}/devfile.yaml`,
            createdAt: '2026-11-20T10:00:00Z',
            lastUsed: '2026-11-20T11:00:00Z',
          },
        ],
      },
    }),
  );
  const { workspaces } = await platform.arrange(
    'portal',
    asOwner(platform, { method: 'GET', path: '/api/ide-launcher/workspaces' }),
  );
  const { workspaceId } = workspaces.find(
    (workspace: { name: string }) => workspace.name === name,
  );
  workspaceIds.push(workspaceId);
  return { params: { workspaceId }, text: name };
}

/** Deletes the workspaces that no test has deleted. */
async function deleteWorkspaces(platform: Platform): Promise<void> {
  await Promise.all(
    workspaceIds.splice(0).map(id =>
      platform.ask(
        'portal',
        asOwner(platform, {
          method: 'DELETE',
          path: `/api/ide-launcher/workspaces/${id}`,
        }),
      ),
    ),
  );
}

/** Time of a commit, which is personal data that not every caller may see. */
const COMMITTED_AT = '2026-11-20T11:00:00.000Z';

/** Requests for the routes of the portal, by the heading of their table. */
export const portalRequests: Record<string, PartRequests> = {
  'Portal: root': { ...portal, objects: {}, routes: {} },
  'Portal: sign-in': {
    ...portal,
    objects: {},
    routes: { 'GET /api/auth/dev/refresh': { query: 'user=grace' } },
  },
  'Portal: proxy': { ...portal, objects: {}, routes: {} },
  'Portal: own flags': {
    ...portal,
    objects: {},
    routes: {
      'GET /api/feature-flags/portal-flags': {
        query: 'names=portal.flag-usage',
      },
      'GET /api/feature-flags/portal-flags/changes': { accepted: 429 },
    },
  },
  'Portal: workspaces': {
    ...portal,
    objects: {
      'a component': componentOfOwner,
      'workspace of the owner': createWorkspace,
      'its log': async platform => {
        const { params } = await createWorkspace(platform);
        return { params };
      },
      'an import': () => ({ params: { source: 'nowhere' } }),
    },
    tidy: deleteWorkspaces,
    routes: {
      'POST /api/ide-launcher/workspaces': { accepted: 400 },
      'POST /api/ide-launcher/devfile/preview': { accepted: 400 },
      'POST /api/ide-launcher/imports': { accepted: 400 },
      // The workspace is not running; only permitted callers learn that.
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
      'a component': componentOfOwner,
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
            // The lake reads the owner from the catalog, some time after the start.
            expect(deployments[0].team).not.toBeNull();
            return deployments[0].id as string;
          },
          { timeout: 60_000, interval: 500 },
        );
        return { params: { id }, text: COMMITTED_AT };
      },
      'incident of the owner': async platform => {
        await platform.arrange('portal', {
          method: 'POST',
          path: '/api/delivery-lake/incidents',
          headers: { authorization: 'Bearer dev-service-token' },
          body: {
            id: fresh('incident'),
            service: 'shop',
            title: 'Carts are lost',
            startedAt: '2026-11-20T12:00:00Z',
          },
        });
        const id = await vi.waitFor(
          async () => {
            const { incidents } = await platform.arrange(
              'portal',
              asAdmin(platform, {
                method: 'GET',
                path: '/api/delivery-lake/incidents?service=shop',
              }),
            );
            // The lake reads the owner from the catalog, some time after the start.
            expect(incidents[0].team).not.toBeNull();
            return incidents[0].id as string;
          },
          { timeout: 60_000, interval: 500 },
        );
        return { params: { id } };
      },
      'a job': platform =>
        // The job of an earlier row may still be running.
        vi.waitFor(
          async () => {
            const { id } = await platform.arrange('portal', {
              method: 'POST',
              path: '/api/delivery-lake/rebuild',
              headers: { authorization: 'Bearer dev-service-token' },
            });
            return { params: { id } };
          },
          { timeout: 60_000, interval: 500 },
        ),
      'a connection': async platform => {
        const { id } = await platform.arrange(
          'portal',
          asAdmin(platform, {
            method: 'POST',
            path: '/api/delivery-lake/connections',
            body: {
              forge: 'github',
              repository: `shop/${fresh('repository')}`,
            },
          }),
        );
        return { params: { id } };
      },
      'a tracker': async platform => {
        const { id } = await platform.arrange(
          'portal',
          asAdmin(platform, {
            method: 'POST',
            path: '/api/delivery-lake/connections',
            body: { forge: 'pagerduty', repository: fresh('account') },
          }),
        );
        return { params: { id } };
      },
      'a namespace': () => ({ params: { namespace: 'nowhere' } }),
      GitHub: () => ({ params: { forge: 'github' } }),
      'a pipeline': () => ({ params: { path: 'connections/1/deployments' } }),
    },
    routes: {
      'GET /api/delivery-lake/deployment-history': EMPTY,
      'GET /api/delivery-lake/running': EMPTY,
      'POST /api/delivery-lake/deployments': EMPTY,
      'POST /api/delivery-lake/incidents': EMPTY,
      'POST /api/delivery-lake/changes': EMPTY,
      'POST /api/delivery-lake/events': EMPTY,
      'POST /api/delivery-lake/webhooks/{forge}': EMPTY,
      'POST /api/delivery-lake/webhooks/connections/{id}': EMPTY,
      'POST /api/delivery-lake/connections': EMPTY,
      'POST /api/delivery-lake/rebuild': JOB,
      'POST /api/delivery-lake/replay': JOB,
      'POST /api/delivery-lake/people/deletions': EMPTY,
      'POST /api/delivery-lake/people/deletions/preview': EMPTY,
      'PUT /api/delivery-lake/connections/{id}/secret': {
        body: { secret: fresh('secret-of-pagerduty') },
      },
      'POST /api/delivery-lake/webhooks/devlake/{path}': EMPTY,
    },
  },
  'Portal: administration': { ...portal, objects: {}, routes: {} },
  'Portal: inbox': {
    ...portal,
    objects: {
      'no item': () => ({ params: { key: 'none' } }),
      'a namespace': () => ({ params: { namespace: 'nowhere' } }),
    },
    routes: {
      'GET /api/inbox/first-steps': { query: 'steps=workspace' },
      // The inbox has no such item; only permitted callers learn that.
      'PUT /api/inbox/items/{key}/aside': {
        body: { state: 'done' },
        accepted: 404,
      },
      'DELETE /api/inbox/items/{key}/aside': { accepted: 404 },
    },
  },
  'Portal: demo organisation': {
    ...portal,
    objects: {},
    prepare: pretendToLoadDemo,
    routes: {
      // Another load is in progress; only permitted callers learn that.
      'POST /api/demo/organisation': { accepted: 409 },
      'DELETE /api/demo/organisation': { accepted: 409 },
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
      'a collection': () => ({ params: { namespace: 'nowhere' } }),
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
      'PUT /api/catalog/collections/{namespace}': EMPTY,
      // None is configured; only permitted callers learn that.
      'DELETE /api/catalog/collections/{namespace}': { accepted: 404 },
    },
  },
};
