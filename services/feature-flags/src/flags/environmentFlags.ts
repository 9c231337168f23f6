import type { Caller } from '@slipway/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { ChangeRequests } from '../approval/ChangeRequests.ts';
import { requestPresenter } from '../approval/present.ts';
import type { Requested } from '../approval/schemas.ts';
import type { Flag } from '../model/Flag.ts';
import type { Environment } from '../model/Registers.ts';
import type { Environments } from '../registers/registers.ts';
import { authorOf, type FlagAccess } from '../tokens/access.ts';
import type { FlagAdmin } from './FlagAdmin.ts';
import { flagTag } from './preconditions.ts';
import { contextOf } from './routes.ts';

/** A request about a flag in one environment. */
interface EnvironmentRequest {
  params: { projectId: string; featureName: string; environment: string };
  caller: Caller;
  headers: FastifyRequest['headers'];
}

/**
 * Returns the path of a flag in one environment, the settings of routes below it, and functions that
 * read and change the flag and environment of a request.
 */
export function environmentFlags(options: {
  flags: FlagAdmin;
  environments: Environments;
  requests: ChangeRequests;
  access: FlagAccess;
}) {
  const { flags, environments, requests, access } = options;
  const find = async ({ params }: EnvironmentRequest, reply: FastifyReply) => {
    const { projectId, featureName, environment } = params;
    const place = await environments.get(environment);
    const flag = await flags.get(featureName, projectId);
    reply.header('etag', flagTag(flag, place.name));
    return { place, flag };
  };
  const presentRequests = requestPresenter(environments);
  const make = async <T>(
    request: EnvironmentRequest,
    reply: FastifyReply,
    change: {
      edit: (flag: Flag, environment: string) => Flag;
      present: (flag: Flag, place: Environment) => T;
    },
  ): Promise<T | Static<typeof Requested>> => {
    const { projectId: project, featureName, environment } = request.params;
    const place = await environments.get(environment);
    const context = { ...contextOf(request, place.name), project };
    const { flag, request: proposed } = await requests.change(
      featureName,
      context,
      {
        author: authorOf(request.caller),
        edit: each => change.edit(each, place.name),
      },
    );
    if (proposed) {
      const [changeRequest] = await presentRequests([proposed], request.caller);
      reply
        .code(202)
        .header('location', `/api/admin/change-requests/${proposed.id}`);
      return { changeRequest };
    }
    reply.header('etag', flagTag(flag, place.name));
    return change.present(flag, place);
  };

  return {
    path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment',
    tags: ['features'],
    read: { config: { access: access.read } },
    write: {
      config: { access: access.change, faults: ['preconditionFailed'] },
    },
    find,
    change: make,
  } as const;
}
