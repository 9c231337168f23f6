import { isoOf } from '@slipway/entity-contract';
import { actorOf, type ServiceApp } from '@slipway/service-kit';
import { addressOf } from '../model/CodeReference.ts';
import type { CodeReferenceStore } from '../storage/CodeReferenceStore.ts';
import type { FlagAccess } from '../tokens/access.ts';
import type { Candidate, CleanUp } from './CleanUp.ts';
import {
  CleanUpAnswer,
  CleanUpQuery,
  FlagPath,
  IssueAnswer,
  ReferenceList,
  ScanAnswer,
  ScanBody,
} from './schemas.ts';

const tags = ['clean-up'];

/** Adds the routes for flags that can be removed, code references, and issues for the owners of flags. */
export function cleanUpRoutes(
  app: ServiceApp,
  options: {
    cleanUp: CleanUp;
    references: CodeReferenceStore;
    isFlag: (name: string) => boolean;
    access: FlagAccess;
    now: () => number;
  },
): void {
  const { cleanUp, references, isFlag, access, now } = options;
  const read = { config: { access: access.read } };

  app.get(
    '/api/admin/clean-up',
    {
      ...read,
      schema: {
        tags,
        summary: 'List flags that can be removed, with the reasons',
        querystring: CleanUpQuery,
        response: { 200: CleanUpAnswer },
      },
    },
    async ({ query }) => ({
      canOpenIssues: cleanUp.canOpenIssues,
      features: (await cleanUp.list(query)).map(present),
    }),
  );

  app.get(
    '/api/admin/features/:featureName/code-references',
    {
      ...read,
      schema: {
        tags,
        summary: 'List the lines of code that name a flag',
        params: FlagPath,
        response: { 200: ReferenceList },
      },
    },
    async ({ params }) => ({
      references: (await cleanUp.references(params.featureName)).map(
        ({ flag: _flag, scannedAt, ...found }) => ({
          ...found,
          url: addressOf({ ...found, flag: _flag, scannedAt }),
          scannedAt: isoOf(scannedAt),
        }),
      ),
    }),
  );

  app.post(
    '/api/admin/features/:featureName/issue',
    {
      config: {
        access: access.change,
        audited: true,
        faults: ['conflict', 'unavailable'],
      },
      schema: {
        tags,
        summary: 'Open an issue to remove a flag',
        params: FlagPath,
        response: { 201: IssueAnswer },
      },
    },
    async ({ params, caller }, reply) => {
      const { number, url } = await cleanUp.openIssue(
        params.featureName,
        actorOf(caller),
      );
      reply.code(201).header('location', url);
      return { number, url };
    },
  );

  app.put(
    '/api/admin/code-references',
    {
      config: { access: access.write },
      schema: {
        tags,
        summary: "Replace the references in a repository's code",
        body: ScanBody,
        response: { 200: ScanAnswer },
      },
    },
    async ({ body, caller }) => {
      const { repository, commit } = body;
      const known = body.references.filter(({ flag }) => isFlag(flag));
      await references.replace({
        repository,
        commit,
        references: known,
        scannedBy: actorOf(caller),
        scannedAt: now(),
      });
      const unknown = body.references
        .map(({ flag }) => flag)
        .filter(flag => !isFlag(flag));
      return { stored: known.length, unknown: [...new Set(unknown)] };
    },
  );
}

function present(candidate: Candidate) {
  const { flag, reasons, owner, environments, references, issue } = candidate;
  const used = environments.flatMap(({ lastUsedAt }) => lastUsedAt ?? []);
  return {
    name: flag.name,
    project: flag.project,
    type: flag.type,
    stale: flag.stale,
    createdAt: isoOf(flag.createdAt),
    reasons: [...reasons],
    owner,
    lastUsedAt: used.length > 0 ? isoOf(Math.max(...used)) : null,
    environments: environments.map(({ lastUsedAt, ...each }) => ({
      ...each,
      lastUsedAt: isoOf(lastUsedAt),
    })),
    references,
    ...(issue && { issue: { number: issue.number, url: issue.url } }),
  };
}
