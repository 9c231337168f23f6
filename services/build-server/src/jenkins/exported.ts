import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { readTree } from './readTree.ts';
import type { Tree } from './Tree.ts';

/** Query of everything that ends in `/api/json`, as Jenkins has it. */
export const ExportQuery = Type.Object({
  tree: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description:
        'What to answer and nothing else, e.g. `name,builds[number,result]{0,5}`. It wins over `depth`.',
    }),
  ),
  depth: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'How deep builds of jobs, and jobs, are told in full.',
    }),
  ),
  pretty: Type.Optional(
    Type.String({ description: 'Indents the answer, unless it is `false`.' }),
  ),
});

/** @throws InvalidRequestError */
export function treeOf({ tree }: Static<typeof ExportQuery>): Tree | undefined {
  return tree?.trim() ? readTree(tree) : undefined;
}

/** `preHandler` of routes with that query: answers as it asks. */
export async function exported(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const query = request.query as Static<typeof ExportQuery>;
  const tree = treeOf(query);
  const isPretty = query.pretty !== undefined && query.pretty !== 'false';
  if (!tree && !isPretty) {
    return;
  }
  reply.type('application/json; charset=utf-8');
  reply.serializer((answer: unknown) => {
    const isFault = reply.statusCode >= 400;
    return JSON.stringify(
      tree && !isFault ? tree.prune(answer) : answer,
      null,
      isPretty ? 2 : undefined,
    );
  });
}
