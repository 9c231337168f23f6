import { type ApiPlan, APIS } from '../organisation/apis';
import {
  CALLS,
  type ResourcePlan,
  RESOURCES,
} from '../organisation/architecture';
import { devfileUrlOf } from '../organisation/devfile';
import {
  flagsOfService,
  NAMESPACE,
  type Organisation,
  OWN_TEAM,
  PROJECT,
  type Service,
} from '../organisation/organisation';
import type { Story } from '../story/Story';

const DOMAIN = 'harbour-goods';
/** Tags of everything that is not a person, team or system. */
const TAGS = ['demo'];

/** A catalog entity without its namespace, which the collection sets. */
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
export function entitiesOf({
  organisation,
  guests,
  showcase,
}: Pick<Story, 'organisation' | 'guests' | 'showcase'>): EntityOfDemo[] {
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
    ...services.map(service => componentOf(service, showcase)),
    ...APIS.map(api => apiOf(api, ownerOf(organisation, api.provider))),
    ...RESOURCES.map(resource =>
      resourceOf(resource, ownerOf(organisation, resource.users[0])),
    ),
  ];
}

function componentOf(
  service: Service,
  showcase: Story['showcase'],
): EntityOfDemo {
  const { name, title, team } = service;
  const flags = flagsOfService(service);
  return {
    kind: 'Component',
    metadata: {
      name,
      title,
      description: `${team.title}: ${team.description}`,
      annotations: {
        'slipway.dev/build-job': service.job,
        'slipway.dev/analytics-project': PROJECT,
        'slipway.dev/devfile': devfileOf(service, showcase),
        ...(flags.length > 0 && { 'slipway.dev/flags': flags.join(', ') }),
      },
      tags: TAGS,
    },
    spec: {
      type: typeOf(name),
      lifecycle: 'production',
      owner: team.ref,
      system: team.name,
      ...dependenciesOf(name),
    },
  };
}

/** Returns the address of the devfile of a component: the Checkout API may have an existing repository. */
export function devfileOf(
  service: Service,
  showcase: Story['showcase'],
): string {
  return showcase && service.name === 'checkout-api'
    ? showcase.devfileUrl
    : devfileUrlOf(service);
}

/**
 * Returns the relations of a component: the APIs that it provides and consumes, and the resources and
 * components without an API that it depends on.
 */
function dependenciesOf(name: string) {
  const called = (CALLS[name] ?? []).map(service => ({
    service,
    api: APIS.find(({ provider }) => provider === service),
  }));
  const provided = APIS.filter(({ provider }) => provider === name);
  return {
    providesApis: provided.map(api => api.name),
    consumesApis: called.flatMap(({ api }) => (api ? [api.name] : [])),
    dependsOn: [
      ...called.flatMap(({ api, service }) =>
        api ? [] : [`component:${NAMESPACE}/${service}`],
      ),
      ...RESOURCES.filter(({ users }) => users.includes(name)).map(
        resource => `resource:${NAMESPACE}/${resource.name}`,
      ),
    ],
  };
}

/**
 * Returns the owner of the APIs and resources of a service, and the system that it belongs to.
 */
function ownerOf({ services }: Organisation, service: string) {
  const { team } = services.find(({ name }) => name === service)!;
  return { owner: team.ref, system: team.name };
}

function apiOf(
  { name, title, description, type, definition }: ApiPlan,
  owner: ReturnType<typeof ownerOf>,
): EntityOfDemo {
  return {
    kind: 'API',
    metadata: { name, title, description, tags: TAGS },
    spec: { type, lifecycle: 'production', ...owner, definition },
  };
}

function resourceOf(
  { name, title, description, type }: ResourcePlan,
  owner: ReturnType<typeof ownerOf>,
): EntityOfDemo {
  return {
    kind: 'Resource',
    metadata: { name, title, description, tags: TAGS },
    spec: { type, ...owner },
  };
}

function typeOf(name: string): string {
  if (/(?:web|page|app|admin)$/.test(name)) {
    return 'website';
  }
  return /(?:job|worker|sync|import)$/.test(name) ? 'worker' : 'service';
}
