import {
  flagsOfService,
  NAMESPACE,
  OWN_TEAM,
  PROJECT,
  type Service,
} from '../organisation/organisation';
import { diceOf } from '../story/random';
import type { Story } from '../story/Story';
import { type DemoPart, waitUntil } from './DemoPart';

const DOMAIN = 'harbour-goods';
/** The devfile of workspaces of the demo's components. */
const DEVFILE =
  'https://raw.githubusercontent.com/devfile/registry/main/stacks/nodejs/2.2.1/devfile.yaml';
/** Timeout for the catalog's background processing. */
const TIMEOUT_MS = 30_000;

/** People, teams and services in the catalog. */
export const catalogPart: DemoPart = {
  id: 'catalog',
  title: 'Catalog',
  writes:
    '60 people, 12 teams, 12 systems and 80 components in the namespace demo',

  async load({ platform, story, onProgress }) {
    const entities = entitiesOf(story);
    await platform.plugin('catalog', {
      method: 'PUT',
      path: `/collections/${NAMESPACE}`,
      body: { entities },
    });
    await waitUntil(async () => {
      const { totalItems } = await platform.plugin<{ totalItems: number }>(
        'catalog',
        {
          method: 'GET',
          path: `/entities/by-query?limit=0&filter=metadata.namespace=${NAMESPACE}`,
        },
      );
      const count = entities.length;
      onProgress(Math.min(totalItems, count), count);
      return totalItems >= count;
    }, TIMEOUT_MS);
  },

  async remove({ platform, onProgress }) {
    await platform.plugin('catalog', {
      method: 'DELETE',
      path: `/collections/${NAMESPACE}`,
      accepted: [404],
    });
    onProgress(1, 1);
  },
};

interface EntityOfDemo {
  kind: string;
  metadata: {
    name: string;
    title?: string;
    description?: string;
    annotations?: Record<string, string>;
    tags?: string[];
  };
  spec: object;
}

/** Returns the organisation as catalog entities. */
function entitiesOf({
  organisation,
  guests,
  seed,
  showcase,
}: Pick<
  Story,
  'organisation' | 'guests' | 'seed' | 'showcase'
>): EntityOfDemo[] {
  const { teams, services } = organisation;
  return [
    {
      kind: 'Domain',
      metadata: {
        name: DOMAIN,
        title: 'Harbour Goods',
        description: 'A shop that does not exist: the demo organisation.',
      },
      spec: { owner: `group:${NAMESPACE}/platform` },
    },
    ...teams.flatMap((team): EntityOfDemo[] => [
      {
        kind: 'Group',
        metadata: {
          name: team.name,
          title: team.title,
          description: team.description,
        },
        spec: {
          type: 'team',
          profile: { displayName: team.title },
          children: [],
          ...(team.name === OWN_TEAM && { members: [...guests] }),
        },
      },
      {
        kind: 'System',
        metadata: {
          name: team.name,
          title: team.title,
          description: team.description,
        },
        spec: { owner: team.ref, domain: DOMAIN },
      },
      ...team.people.map((person): EntityOfDemo => ({
        kind: 'User',
        metadata: { name: person.name },
        spec: {
          profile: { displayName: person.displayName, email: person.email },
          memberOf: [team.name],
        },
      })),
    ]),
    ...services.map(service =>
      componentOf(service, { organisation, seed, showcase }),
    ),
  ];
}

function componentOf(
  service: Service,
  options: Pick<Story, 'organisation' | 'seed' | 'showcase'>,
): EntityOfDemo {
  const { name, title, team } = service;
  const flags = flagsOfService(service);
  const dice = diceOf(options.seed, 'component', name);
  const others = options.organisation.services.filter(
    other => other !== service,
  );
  const dependsOn = new Set(
    Array.from({ length: 1 + dice.count(1.2) }, () => dice.pick(others).ref),
  );
  return {
    kind: 'Component',
    metadata: {
      name,
      title,
      description: `${team.title}: ${team.description}`,
      annotations: {
        'slipway.dev/build-job': service.job,
        'slipway.dev/analytics-project': PROJECT,
        'slipway.dev/devfile': DEVFILE,
        ...(name === 'checkout-api' && {
          'slipway.dev/devfile': options.showcase?.devfileUrl ?? DEVFILE,
        }),
        ...(flags.length > 0 && { 'slipway.dev/flags': flags.join(', ') }),
      },
      tags: ['demo'],
    },
    spec: {
      type: typeOf(name),
      lifecycle: 'production',
      owner: team.ref,
      system: team.name,
      dependsOn: [...dependsOn],
    },
  };
}

function typeOf(name: string): string {
  if (/(?:web|page|app|admin)$/.test(name)) {
    return 'website';
  }
  return /(?:job|worker|sync|import)$/.test(name) ? 'worker' : 'service';
}
