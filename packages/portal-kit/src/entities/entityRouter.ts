import {
  BackstageCredentials,
  HttpAuthService,
  PermissionsService,
  UserInfoService,
} from '@backstage/backend-plugin-api';
import { type Entity, stringifyEntityRef } from '@backstage/catalog-model';
import { InputError, NotAllowedError, NotFoundError } from '@backstage/errors';
import { CatalogService } from '@backstage/plugin-catalog-node';
import { BasicPermission } from '@backstage/plugin-permission-common';
import {
  type CatalogReader,
  EntityNotFoundError,
  EntityQueryError,
  type EntityScope,
  type EntitySummary,
  InvalidEntityRefError,
  newestFirst,
  readTimelineQuery,
  resolveScope,
  summaryOf,
  type TimelineItem,
  type TimelineQuery,
} from '@slipway/entity-contract';
import { type Request, Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { methodNotAllowed } from '../http/requests';
import { callerOf, createPermissionGuard } from '../permissions/access';

/** The user or service whose view of an entity a plugin returns. */
interface Requester {
  /** Entity reference of a user, or the subject of a service token. */
  ref: string;
}

/** The data that a plugin reports about entities of the catalog. */
export interface EntityPart {
  /** Returns the current state of an entity for a caller: numbers and pending work. */
  summary(scope: EntityScope, requester: Requester): Promise<EntitySummary>;
  /** Lists events in any order. No more than `limit + 1` items are used. */
  timeline(
    scope: EntityScope,
    query: TimelineQuery,
    requester: Requester,
  ): Promise<TimelineItem[]>;
}

/** The plugin that reads summaries on behalf of users while they are not signed in. */
const INBOX_SUBJECT = 'plugin:inbox';

const FIELDS = [
  'kind',
  'metadata.name',
  'metadata.namespace',
  'metadata.title',
  'metadata.annotations',
];

/**
 * Creates a plugin's routes `GET /entities/{ref}/summary` and `/timeline`, in the same format as the
 * services. They return the plugin's data about a component, about all components of a system or group,
 * or about those that the caller's groups own. The catalog is read with the caller's credentials. Only
 * this portal's inbox may query for other users.
 *
 * @param options.permission - required for reading this information.
 */
export function createEntityRouter(options: {
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  userInfo: UserInfoService;
  catalog: Pick<CatalogService, 'getEntityByRef' | 'queryEntities'>;
  permission: BasicPermission;
  part: EntityPart;
  now?: () => number;
}): Router {
  const { httpAuth, catalog, userInfo, part, now = Date.now } = options;
  const guard = createPermissionGuard(options)(options.permission);
  const router = PromiseRouter();

  async function scopeOf(
    req: Request,
    ref: string,
  ): Promise<[EntityScope, Requester]> {
    const credentials = await httpAuth.credentials(req, {
      allow: ['user', 'service'],
    });
    const scope = await wordFaults(() =>
      resolveScope(ref, {
        catalog: readerOf(catalog, credentials),
        async groupsOf(user) {
          const caller = callerOf(credentials).ref;
          if (caller === INBOX_SUBJECT) {
            return ownershipIn(catalog, { user, credentials });
          }
          if (caller.toLocaleLowerCase('en-US') !== user) {
            throw new NotAllowedError('You can only query your own user');
          }
          return (await userInfo.getUserInfo(credentials)).ownershipEntityRefs;
        },
      }),
    );
    const caller = callerOf(credentials).ref;
    const isForUser = caller === INBOX_SUBJECT && scope.kind === 'user';
    return [scope, { ref: isForUser ? scope.ref : caller }];
  }

  router
    .route('/entities/:ref/summary')
    .get(guard, async (req, res) => {
      const [scope, requester] = await scopeOf(req, req.params.ref);
      res.json(summaryOf(scope, await part.summary(scope, requester)));
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/entities/:ref/timeline')
    .get(guard, async (req, res) => {
      const query = await wordFaults(async () =>
        readTimelineQuery(req.query, now()),
      );
      const [scope, requester] = await scopeOf(req, req.params.ref);
      res.json(
        newestFirst(await part.timeline(scope, query, requester), query),
      );
    })
    .all(methodNotAllowed('GET'));

  return router;
}

async function ownershipIn(
  catalog: Pick<CatalogService, 'getEntityByRef'>,
  options: { user: string; credentials: BackstageCredentials },
): Promise<string[]> {
  const { user, credentials } = options;
  const entity = await catalog.getEntityByRef(user, { credentials });
  if (!entity) {
    throw new NotFoundError(`Entity '${user}' not found`);
  }
  return ownershipOf(entity);
}

function readerOf(
  catalog: Pick<CatalogService, 'getEntityByRef' | 'queryEntities'>,
  credentials: BackstageCredentials,
): CatalogReader {
  return {
    entity: name => catalog.getEntityByRef(name, { credentials }),
    async components(relation, { targets, limit }) {
      const { items } = await catalog.queryEntities(
        {
          filter: {
            kind: 'component',
            [`relations.${relation}`]: [...targets],
          },
          fields: FIELDS,
          limit,
          orderFields: { field: 'metadata.name', order: 'asc' },
        },
        { credentials },
      );
      return items;
    },
  };
}

async function wordFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EntityNotFoundError) {
      throw new NotFoundError(error.message);
    }
    if (
      error instanceof InvalidEntityRefError ||
      error instanceof EntityQueryError
    ) {
      throw new InputError(error.message);
    }
    throw error;
  }
}

/**
 * Returns the entity references of a user and of the user's groups, as Backstage determines them at
 * sign-in.
 */
export function ownershipOf(user: Entity): string[] {
  const groups = (user.relations ?? [])
    .filter(
      ({ type, targetRef }) =>
        type === 'memberOf' && targetRef.startsWith('group:'),
    )
    .map(({ targetRef }) => targetRef);
  return [...new Set([stringifyEntityRef(user), ...groups])];
}
