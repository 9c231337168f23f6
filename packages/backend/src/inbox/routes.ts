import type {
  HttpAuthService,
  LoggerService,
  PermissionsService,
  UserInfoService,
} from '@backstage/backend-plugin-api';
import { NotFoundError } from '@backstage/errors';
import { createPermission } from '@backstage/plugin-permission-common';
import {
  administrationPermission,
  createPermissionGuard,
  jsonBody,
  methodNotAllowed,
  parseInput,
} from '@slipway/portal-kit';
import type { Request, RequestHandler, Response, Router } from 'express';
import PromiseRouter from 'express-promise-router';
import type { SentNotifications } from '../notifications/SentNotifications';
import { createFirstSteps } from './firstSteps';
import { markRead } from './markRead';
import type { Owner, PartsClient } from './PartsClient';
import {
  type Announced,
  type Aside,
  isNoticeOf,
  isAside,
  isGone,
  scopeOf,
} from './rules';
import {
  asideSchema,
  itemSchema,
  namespaceSchema,
  stepsSchema,
} from './schemas';
import type { InboxStore } from './storage/InboxStore';

/** Maximum number of events in the activity of a user. */
const MAX_ACTIVITY = 40;

/** Allows admins to remove a namespace of the catalog from all inboxes. */
export const forgetPermission = createPermission({
  name: 'inbox.admin.forget',
  attributes: { action: 'delete' },
});

/**
 * Creates the routes of a user's own inbox, activity and first steps, and routes for admins: one
 * lists when each user last opened the inbox, another removes a namespace.
 */
export function createInboxRoutes(options: {
  store: InboxStore;
  parts: Pick<PartsClient, 'read' | 'activity' | 'request'>;
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  userInfo: UserInfoService;
  logger: LoggerService;
  sent: Pick<SentNotifications, 'dropMails' | 'forgetNamespace'>;
  now?: () => number;
}): Router {
  const { store, parts, httpAuth, userInfo, logger, now = Date.now } = options;
  const router = PromiseRouter();
  const userOf = (req: Request) =>
    httpAuth.credentials(req, { allow: ['user'] });
  const ownerOf = async (req: Request) => {
    const credentials = await userOf(req);
    const { userEntityRef: ref, ownershipEntityRefs: ownership } =
      await userInfo.getUserInfo(credentials);
    return { ref, ownership, credentials };
  };
  // Checked before the body is parsed, so that callers without access get 401 or 403 rather than
  // 400.
  const onlyUsers: RequestHandler = async (req, _res, next) => {
    await userOf(req);
    next();
  };

  const guard = createPermissionGuard(options);
  const firstSteps = createFirstSteps({ parts, logger });

  async function tryToMarkRead(
    owner: Owner,
    isRead: (announced: Announced) => boolean,
  ) {
    await markRead({ parts, owner, isRead }).catch(error =>
      logger.warn(`A notification was not marked as read: ${error}`),
    );
  }

  async function put(user: string, key: string, aside: Aside | null) {
    if (!(await store.setAside(user, key, aside))) {
      throw new NotFoundError(`The inbox has no item '${key}'`);
    }
  }

  router
    .route('/items')
    .get(async (req, res) => {
      const owner = await ownerOf(req);
      const readAt = now();
      await store.visit(owner.ref, readAt);
      const { needs, missing, incomplete } = await parts.read(owner);
      const states = await store.record(owner.ref, needs, now());
      res.json({
        items: needs.map(({ notified: _, scope: __, ...need }) => {
          const state = states.get(need.key)!;
          return {
            ...need,
            aside: isAside(state, now()) ? asideToJson(state.aside!) : null,
          };
        }),
        missing,
        incomplete,
      });
      // Marked as read so that the bell does not count items that are gone.
      if (missing.length === 0 && incomplete.length === 0) {
        await tryToMarkRead(owner, isGone({ needs, readAt }));
      }
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/namespaces/:namespace')
    .delete(
      guard(
        forgetPermission,
        'Delete the inbox items and notifications of a namespace',
      ),
      async (req, res) => {
        const { namespace } = parseInput(namespaceSchema, req.params);
        // Items first, so that none of them is announced after the notifications have been deleted.
        const items = await store.forgetNamespace(namespace);
        const notifications = await options.sent.forgetNamespace(namespace);
        res.json({ items, notifications });
      },
    )
    .all(methodNotAllowed('DELETE'));

  router
    .route('/visits')
    .get(guard(administrationPermission), async (_req, res) => {
      const visits = await store.visits();
      res.json({
        visits: visits.map(({ user, at }) => ({
          user,
          at: new Date(at).toISOString(),
        })),
      });
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/activity')
    .get(async (req, res) => {
      res.json(
        await parts.activity(await ownerOf(req), { limit: MAX_ACTIVITY }),
      );
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/first-steps')
    .get(async (req, res) => {
      const owner = await ownerOf(req);
      const { steps } = parseInput(stepsSchema, req.query);
      res.json({ steps: await firstSteps(owner, steps) });
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/items/:key/aside')
    .put(onlyUsers, jsonBody(), async (req: Request, res: Response) => {
      const credentials = await userOf(req);
      const ref = credentials.principal.userEntityRef;
      const { key } = parseInput(itemSchema, req.params);
      const input = parseInput(asideSchema, req.body);
      const aside: Aside =
        input.state === 'done' ? { ...input, until: null } : input;
      await put(ref, key, aside);
      if (aside.state === 'done') {
        const item = (await store.find(ref, key)) ?? { key };
        const scopes = [scopeOf(item)].concat(item.scope ?? []);
        await options.sent.dropMails(ref, scopes);
        await tryToMarkRead({ ref, ownership: [], credentials }, announced =>
          isNoticeOf(announced, item),
        );
      }
      res.json(asideToJson(aside));
    })
    .delete(async (req, res) => {
      const credentials = await userOf(req);
      const { key } = parseInput(itemSchema, req.params);
      await put(credentials.principal.userEntityRef, key, null);
      res.status(204).end();
    })
    .all(methodNotAllowed('PUT', 'DELETE'));

  return router;
}

function asideToJson({ state, until }: Aside) {
  return {
    state,
    until: until === null ? null : new Date(until).toISOString(),
  };
}
