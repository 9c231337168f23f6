import {
  type EntitySummary,
  type Fact,
  figure,
  isoOf,
  namesIn,
} from '@slipway/entity-contract';
import { actorOf, type EntityPart } from '@slipway/service-kit';
import type { Projects } from '../projects/Projects.ts';
import type { Answers } from '../query/Answers.ts';
import { planEventsQuery } from '../query/planEventsQuery.ts';

/** The annotation that lists the projects with a component's events, separated by commas. */
const ANNOTATION = 'slipway.dev/analytics-project';

const MINUTE_MS = 60_000;
const PERIOD_MS = 30 * 86_400_000;
/** Maximum number of projects to query: each query reads all events of a project. */
const MOST_PROJECTS = 5;

/** The usage of a product in a period. */
interface Usage {
  readonly events: number;
  readonly people: number;
}

/**
 * Creates the entity part that reports how much an entity's product is used. It covers the
 * projects that the entity's components list, as far as the caller may read them.
 */
export function usagePart(options: {
  answers: Pick<Answers, 'ask'>;
  projects: Pick<Projects, 'listFor'>;
  now: () => number;
}): EntityPart {
  const { answers, projects, now } = options;

  async function usageOf(
    projectId: string,
    { from, to, lane }: { from: number; to: number; lane: string },
  ): Promise<Usage> {
    const plan = planEventsQuery(
      {
        kind: 'EventsQuery',
        select: ['count()', 'count(distinct person_id)'],
        after: isoOf(from),
        before: isoOf(to),
      },
      { projectId, now: to },
    );
    const {
      rows: [row],
    } = await answers.ask(
      { key: `usage ${projectId} ${from} ${to}`, plan },
      { lane },
    );
    return { events: Number(row?.[0] ?? 0), people: Number(row?.[1] ?? 0) };
  }

  return {
    async summary(scope, caller): Promise<EntitySummary> {
      const named = namesIn(scope, ANNOTATION);
      if (named.length === 0) {
        return {
          state: 'unconnected',
          message: `Name the project that its product sends events to in the annotation ${ANNOTATION}.`,
          page: '/analytics',
          facts: [],
          needs: [],
        };
      }
      const readable = new Set(
        (await projects.listFor(caller)).map(({ id }) => id),
      );
      const shown = named
        .filter(id => readable.has(id))
        .slice(0, MOST_PROJECTS);
      if (shown.length === 0) {
        return {
          state: 'quiet',
          message: 'Its project was not found, or is hidden from you.',
          page: '/analytics',
          facts: [],
          needs: [],
        };
      }
      // Round to the minute, so that several readers of a page run the same query.
      const to = Math.ceil(now() / MINUTE_MS) * MINUTE_MS;
      const lane = actorOf(caller);
      const from = to - PERIOD_MS;
      const facts: Fact[] = [];
      for (const project of shown) {
        const [current, previous] = await Promise.all([
          usageOf(project, { from, to, lane }),
          usageOf(project, { from: from - PERIOD_MS, to: from, lane }),
        ]);
        facts.push(
          ...factsOf(project, {
            current,
            previous,
            isOnly: shown.length === 1,
          }),
        );
      }
      const isUsed = facts.some(({ value }) => value !== 0);
      return {
        state: isUsed ? 'good' : 'quiet',
        page: pageOf(shown[0]),
        facts,
        needs: [],
      };
    },

    timeline: async () => [],
  };
}

function factsOf(
  project: string,
  options: { current: Usage; previous: Usage; isOnly: boolean },
): Fact[] {
  const { current, previous, isOnly } = options;
  const of = isOnly ? '' : ` of ${project}`;
  const hasPrevious = previous.events > 0;
  return [
    figure({
      id: `people:${project}`,
      label: `People${of} (30 d)`,
      kind: 'count',
      value: current.people,
      ...(hasPrevious && { previous: previous.people }),
      better: 'higher',
      page: pageOf(project),
    }),
    figure({
      id: `events:${project}`,
      label: `Events${of} (30 d)`,
      kind: 'count',
      value: current.events,
      ...(hasPrevious && { previous: previous.events }),
      better: 'neither',
      page: pageOf(project),
    }),
  ];
}

function pageOf(project: string): string {
  return `/analytics?project=${encodeURIComponent(project)}`;
}
