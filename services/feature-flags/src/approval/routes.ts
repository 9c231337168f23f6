import {
  type Caller,
  instantOf,
  InvalidRequestError,
  type ServiceApp,
} from '@slipway/service-kit';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { ChangeRequest } from '../model/ChangeRequest.ts';
import type { Environments } from '../registers/registers.ts';
import { authorOf, type FlagAccess } from '../tokens/access.ts';
import type { ProjectOwners } from '../tokens/ProjectOwners.ts';
import type { ChangeRequests } from './ChangeRequests.ts';
import { requestPresenter } from './present.ts';
import {
  ChangeRequestResponse,
  ChangeRequestList,
  ChangeRequestsQuery,
  CommentBody,
  IdPath,
  isRequestId,
  StateBody,
} from './schemas.ts';

const OPEN = ['In review', 'Approved', 'Scheduled'] as const;
const CLOSED = ['Applied', 'Rejected', 'Cancelled'] as const;

/** Adds `/api/admin/change-requests`: changes of protected environments, with reviews and comments. */
export function changeRequestRoutes(
  app: ServiceApp,
  options: {
    requests: ChangeRequests;
    environments: Environments;
    owners: ProjectOwners;
    access: FlagAccess;
  },
): void {
  const { requests, environments, owners, access } = options;
  const demandOwner = async ({ params, caller }: FastifyRequest) => {
    const { id } = params as { id: string };
    // An invalid id is rejected together with the other parameters.
    if (isRequestId(Number(id))) {
      const { flag } = await requests.get(Number(id));
      await owners.assertOwnsFlag(caller, flag);
    }
  };
  const tags = ['change requests'];
  const present = requestPresenter(environments);
  const presentOne = async (request: ChangeRequest, caller: Caller) =>
    (await present([request], caller))[0];
  const write = {
    config: { access: access.change, faults: ['conflict'] },
    // Before the body is read.
    onRequest: demandOwner,
  } as const;

  app.get(
    '/api/admin/change-requests',
    {
      config: { access: access.read },
      schema: {
        tags,
        summary: 'List change requests, newest first',
        querystring: ChangeRequestsQuery,
        response: { 200: ChangeRequestList },
      },
    },
    async ({ query, caller }) => {
      const { featureName: flag, environment, state, limit, before } = query;
      const states = state && (state === 'open' ? OPEN : CLOSED);
      const found = await requests.list({
        flag,
        environment,
        states,
        limit,
        before,
      });
      return { changeRequests: await present(found, caller) };
    },
  );

  app.get(
    '/api/admin/change-requests/:id',
    {
      config: { access: access.read },
      schema: {
        tags,
        summary: 'Get a change request',
        params: IdPath,
        response: { 200: ChangeRequestResponse },
      },
    },
    async ({ params, caller }) =>
      presentOne(await requests.get(params.id), caller),
  );

  app.put(
    '/api/admin/change-requests/:id/state',
    {
      ...write,
      schema: {
        tags,
        summary: 'Approve, schedule, apply, reject or cancel a change request',
        params: IdPath,
        body: StateBody,
        response: { 200: ChangeRequestResponse },
      },
    },
    async ({ params, body, caller }) => {
      const set = await setState(requests, { ...params, body, caller });
      return presentOne(set, caller);
    },
  );

  app.post(
    '/api/admin/change-requests/:id/comments',
    {
      ...write,
      schema: {
        tags,
        summary: 'Comment on a change request',
        params: IdPath,
        body: CommentBody,
        response: { 200: ChangeRequestResponse },
      },
    },
    async ({ params, body, caller }) => {
      const { text } = body;
      return presentOne(
        await requests.comment(params.id, authorOf(caller), text),
        caller,
      );
    },
  );
}

function setState(
  requests: ChangeRequests,
  options: { id: number; body: Static<typeof StateBody>; caller: Caller },
): Promise<ChangeRequest> {
  const { id, body, caller } = options;
  const { state, comment, scheduledAt } = body;
  const author = authorOf(caller);
  switch (state) {
    case 'Approved':
      return requests.approve(id, author, comment);
    case 'Rejected':
      return requests.reject(id, author, comment);
    case 'Cancelled':
      return requests.cancel(id, author);
    case 'Applied':
      return requests.apply(id, author);
    default:
      if (scheduledAt === undefined) {
        throw new InvalidRequestError('scheduledAt is required', {
          field: 'scheduledAt',
          constraint: 'required',
        });
      }
      return requests.schedule(id, author, instantOf(scheduledAt));
  }
}
