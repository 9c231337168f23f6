import {
  InvalidRequestError,
  NotFoundError,
  type ServiceApp,
} from '@slipway/service-kit';
import { Type } from 'typebox';
import type { Permissions } from '../access/Permissions.ts';
import type { AboutBuild, Build } from '../builds/Build.ts';
import type { AboutStore } from '../storage/AboutStore.ts';
import { acceptForms, FormBody } from '../triggers/FormBody.ts';
import type { BuildLookup } from './BuildLookup.ts';
import { BuildParams } from './schemas.ts';
import { type Addresses, baseUrlOf, buildUrl } from './urls.ts';

const MAX_DESCRIPTION = 1_000;

/** Matches text that PostgreSQL can store. */
const text = {
  pattern: '^[^\\u0000]*$',
  patternDescription: 'must not contain a null character',
};

const Description = Type.String({ maxLength: MAX_DESCRIPTION, ...text });

const AboutBody = Type.Object({
  displayName: Type.Optional(
    Type.String({
      maxLength: 100,
      // It is shown within lines, such as titles.
      pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
      patternDescription: 'must be one line without control characters',
      description: 'Shown beside its number; its number alone if empty.',
    }),
  ),
  description: Type.Optional(Description),
});

const DescriptionQuery = Type.Object({
  description: Type.Optional(Description),
});

/** Registers the routes that name and describe builds, for callers who may trigger the job. */
export function aboutRoutes(
  app: ServiceApp,
  options: {
    permissions: Permissions;
    about: AboutStore;
    lookup: BuildLookup;
    addresses: Addresses;
  },
): void {
  const { permissions, about, lookup, addresses } = options;
  const shared = {
    config: { access: permissions.read, audited: true as const },
    onRequest: permissions.demandTrigger,
  };
  const tags = ['builds'];

  const change = async (
    { id, job, number }: Build,
    to: Partial<AboutBuild>,
  ) => {
    if (!(await about.change(id, to))) {
      throw new NotFoundError(`${job} has no build ${number}`);
    }
  };

  app.put(
    '/job/:job/:build/about',
    {
      ...shared,
      schema: {
        tags,
        summary: 'Name and describe a build',
        params: BuildParams,
        body: AboutBody,
        response: { 204: { description: 'Changed.' } },
      },
    },
    async ({ params, body }, reply) => {
      await change(await lookup.build(params), {
        displayName: body.displayName?.trim() || null,
        description: body.description?.trim() || null,
      });
      return reply.code(204).send();
    },
  );

  app.register(async (routes: ServiceApp) => {
    acceptForms(routes);
    routes.post(
      '/job/:job/:build/submitDescription',
      {
        ...shared,
        schema: {
          tags,
          summary: 'Describe a build',
          description:
            'For clients of Jenkins, which send `description` in a form or in the query.',
          params: BuildParams,
          querystring: DescriptionQuery,
          response: { 302: { description: 'To the build.' } },
        },
      },
      async (request, reply) => {
        const build = await lookup.build(request.params);
        const { body, query } = request;
        const given = inForm(body) ?? query.description;
        if (given === undefined) {
          throw fault('is required', 'required');
        }
        await change(build, { description: given.trim() || null });
        return reply.redirect(buildUrl(baseUrlOf(request, addresses), build));
      },
    );
  });
}

/** @throws InvalidRequestError if it is too long; forms contain no null characters. */
function inForm(body: unknown): string | undefined {
  const [given] =
    body instanceof FormBody ? (body.fields.get('description') ?? []) : [];
  if (given !== undefined && given.length > MAX_DESCRIPTION) {
    throw fault(`must have at most ${MAX_DESCRIPTION} characters`, 'maxLength');
  }
  return given;
}

function fault(what: string, constraint: string): InvalidRequestError {
  return new InvalidRequestError(`description ${what}`, {
    field: 'description',
    constraint,
  });
}
