import type { ServiceApp } from '@slipway/service-kit';
import { type Static, Type } from 'typebox';
import { describeLogRoute, type LogRouteOptions } from './logRoutes.ts';
import { type BuildParams, Epoch, nullable } from './schemas.ts';

const Outline = Type.Object({
  sections: Type.Array(
    Type.Object({
      step: nullable(
        Type.Integer({
          description: 'Position of the step; null before all steps.',
        }),
      ),
      lines: Type.Integer(),
      groups: Type.Array(
        Type.Object({
          title: Type.String(),
          from: Type.Integer({ description: 'The line that begins it.' }),
          to: nullable(
            Type.Integer({
              description: 'The line that ends it, as soon as one does.',
            }),
          ),
        }),
      ),
    }),
  ),
  more: Type.Boolean({ description: 'Whether more lines may follow.' }),
});

const LinesQuery = Type.Object({
  section: Type.Integer({ minimum: 0, maximum: 100_000 }),
  from: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    description: 'A line of the section, from 0.',
  }),
  count: Type.Integer({ minimum: 1, maximum: 1_000, default: 200 }),
});

const Lines = Type.Object({
  lines: Type.Array(
    Type.Object({
      text: Type.String(),
      at: nullable(Epoch),
    }),
  ),
});

const SearchQuery = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 200 }),
});

const Matches = Type.Object({
  matches: Type.Array(
    Type.Object({ section: Type.Integer(), line: Type.Integer() }),
    { description: 'In the order of the log; the first thousand.' },
  ),
  more: Type.Boolean({ description: 'Whether there are more.' }),
});

/**
 * Registers the routes that return the log of a build by step, a range of lines at a
 * time, for logs of any length.
 */
export function logViewRoutes(app: ServiceApp, options: LogRouteOptions): void {
  const { permissions, lookup, logs } = options;
  const config = { access: permissions.read };

  const look = async (params: Static<typeof BuildParams>) => {
    const { id } = await lookup.build(params);
    let more = true;
    const index = await logs.index(id, async () => {
      const { steps, state } = await lookup.build(params);
      more = state !== 'finished';
      return { steps, isEnded: !more };
    });
    return { index, more };
  };

  app.get(
    '/job/:job/:build/log/outline',
    {
      config,
      schema: {
        ...describeLogRoute('Read how many lines each step has written'),
        response: { 200: Outline },
      },
    },
    async ({ params }) => {
      const { index, more } = await look(params);
      return { sections: index.sections(), more };
    },
  );

  app.get(
    '/job/:job/:build/log/lines',
    {
      config,
      schema: {
        ...describeLogRoute('Read lines of one section of the log'),
        querystring: LinesQuery,
        response: { 200: Lines },
      },
    },
    async ({ params, query }) => {
      const { index } = await look(params);
      return { lines: await index.lines(query.section, query) };
    },
  );

  app.get(
    '/job/:job/:build/log/search',
    {
      config,
      schema: {
        ...describeLogRoute('Find the lines of the log that contain a text'),
        querystring: SearchQuery,
        response: { 200: Matches },
      },
    },
    async ({ params, query }) => {
      const { index } = await look(params);
      return index.search(query.text);
    },
  );
}
