import {
  acceptJson,
  type Access,
  InvalidRequestError,
  type ServiceApp,
} from '@slipway/service-kit';
import { readEvent } from '../capture/routes.ts';
import {
  type AnalyticsEvent,
  BATCH_BYTES,
  parseStorableInstant,
} from '../events/AnalyticsEvent.ts';
import type { ChangesOfEvent, PersonChange } from '../people/PersonChange.ts';
import type { Projects } from '../projects/Projects.ts';
import { ProjectPath } from '../projects/schemas.ts';
import {
  ImportedEvents,
  ImportedEventsAnswer,
  ImportedPersons,
  ImportedPersonsAnswer,
} from './schemas.ts';

interface ImportOptions {
  /** The access of admins, and of tokens with the scope `import`. */
  readonly importers: Access;
  readonly projects: Projects;
  /** Resolves once the events are stored, with the number of new ones. */
  readonly keep: (events: readonly AnalyticsEvent[]) => Promise<number>;
  /** Resolves once the changes are stored. */
  readonly keepPeople: (changes: readonly ChangesOfEvent[]) => Promise<void>;
  readonly now: () => number;
}

/**
 * Adds the routes that import a product's past events and persons. Each stores either the
 * whole request or nothing, and requests may be repeated. They do not count towards the
 * project's rate limit.
 */
export async function importRoutes(
  app: ServiceApp,
  options: ImportOptions,
): Promise<void> {
  await app.register(async (scope: ServiceApp) => {
    acceptJson(scope, {
      gzip: true,
      prototypeMembers: 'error',
      faults: 'repair',
    });
    eventRoute(scope, options);
    personRoute(scope, options);
  });
}

const tags = ['import'];

function eventRoute(
  app: ServiceApp,
  { importers, projects, keep, now }: ImportOptions,
): void {
  app.post(
    '/api/projects/:projectId/events',
    {
      config: { access: importers },
      bodyLimit: BATCH_BYTES,
      schema: {
        tags,
        summary: 'Import past events, all or none of which are stored',
        params: ProjectPath,
        body: ImportedEvents,
        response: { 200: ImportedEventsAnswer },
      },
    },
    async ({ params, body: { batch }, caller }) => {
      const { id: projectId } = await projects.open(caller, params.projectId);
      const arrival = { projectId, now: now(), sentAt: undefined };
      const events = batch.map(({ created_at: createdAt, ...event }, index) => {
        const path = `batch.${index}.`;
        const read = readEvent(event, arrival, path);
        return createdAt === undefined
          ? read
          : {
              ...read,
              createdAt: readTime(createdAt, `${path}created_at`),
              receivedAt: arrival.now,
            };
      });
      const duplicates = batch.length - (await keep(events));
      return { events: batch.length, ...(duplicates > 0 && { duplicates }) };
    },
  );
}

function personRoute(
  app: ServiceApp,
  { importers, projects, keepPeople, now }: ImportOptions,
): void {
  app.post(
    '/api/projects/:projectId/persons',
    {
      config: { access: importers },
      bodyLimit: BATCH_BYTES,
      schema: {
        tags,
        summary: 'Import persons with their ids and properties, all or none',
        params: ProjectPath,
        body: ImportedPersons,
        response: { 200: ImportedPersonsAnswer },
      },
    },
    async ({ params, body: { persons }, caller }) => {
      const { id: projectId } = await projects.open(caller, params.projectId);
      const changes = persons.flatMap((person, index) => {
        const path = `persons.${index}.`;
        const createdAt = timeOr(person.created_at, `${path}created_at`, now());
        const updatedAt = timeOr(
          person.updated_at,
          `${path}updated_at`,
          createdAt,
        );
        const [distinctId, ...others] = person.distinct_ids;
        return [
          {
            projectId,
            distinctId,
            at: createdAt,
            changes: [
              { kind: 'seen' as const },
              ...mergesOf(distinctId, others, person.is_identified ?? false),
            ],
          },
          {
            projectId,
            distinctId,
            at: updatedAt,
            changes: [
              {
                kind: 'update' as const,
                set: person.properties ?? {},
                setOnce: {},
                unset: [],
              },
            ],
          },
        ];
      });
      await keepPeople(changes);
      return { persons: persons.length };
    },
  );
}

/**
 * Returns the changes that merge ids into a person; merging the person's own id marks the
 * person as identified.
 */
function mergesOf(
  distinctId: string,
  others: readonly string[],
  isIdentified: boolean,
): PersonChange[] {
  return [...others, ...(isIdentified ? [distinctId] : [])].map(from => ({
    kind: 'merge' as const,
    from,
    force: true,
  }));
}

function timeOr(
  text: string | undefined,
  field: string,
  otherwise: number,
): number {
  return text === undefined ? otherwise : readTime(text, field);
}

/** @throws InvalidRequestError */
function readTime(text: string, field: string): number {
  const instant = parseStorableInstant(text);
  if (instant === undefined) {
    throw new InvalidRequestError(`${field} must be an ISO 8601 timestamp`, {
      field,
      constraint: 'format',
    });
  }
  return instant;
}
