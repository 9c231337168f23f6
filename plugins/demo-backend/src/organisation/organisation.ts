import { TEAMS, type TeamPlan } from './teams';

/** The catalog namespace of all demo entities. */
export const NAMESPACE = 'demo';
/** The project for demo data in analytics and feature flags. */
export const PROJECT = 'demo';
/** Prefix of the demo's job and flag names. */
const JOB_PREFIX = 'demo-';

/** The team that the user who loads the demo joins. */
export const OWN_TEAM = 'checkout';

/** A person of the demo organisation. */
export interface Person {
  /** Entity name. */
  readonly name: string;
  readonly ref: string;
  readonly displayName: string;
  readonly email: string;
}

/** A service with its names and data in all parts of the platform. */
export interface Service {
  readonly name: string;
  readonly title: string;
  /** The name of the service in the delivery lake. */
  readonly lakeName: string;
  readonly ref: string;
  readonly job: string;
  readonly repository: string;
  readonly team: Team;
}

/** A team with its members and services. */
export interface Team {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly ref: string;
  readonly people: readonly Person[];
  readonly plan: TeamPlan;
}

/** All people, teams and services, in a fixed order. */
export interface Organisation {
  readonly teams: readonly Team[];
  readonly people: readonly Person[];
  readonly services: readonly Service[];
}

const SURNAMES =
  'Abbott Berg Castillo Dahl Eriksen Fontaine Grant Hassan Ito Jensen Kowalski Lindgren Moreau Novak Okafor Petrov Quinn Rossi Schmidt Tanaka Ueda Vasquez Walsh Xu Yilmaz Zhang Adeyemi Becker Costa Duarte'.split(
    ' ',
  );

const ACRONYMS: Readonly<Record<string, string>> = {
  api: 'API',
  ios: 'iOS',
  sms: 'SMS',
};

/** Creates Harbour Goods: 12 teams, 60 people, 80 services. */
export function createOrganisation(): Organisation {
  const teams = TEAMS.map((plan, index): Team => ({
    name: plan.name,
    title: plan.title,
    description: plan.description,
    ref: `group:${NAMESPACE}/${plan.name}`,
    people: plan.people.map((first, place) =>
      personOf(first, SURNAMES[(index * 5 + place) % SURNAMES.length]),
    ),
    plan,
  }));
  return {
    teams,
    people: teams.flatMap(({ people }) => people),
    services: teams.flatMap(team =>
      team.plan.services.map(name => serviceOf(name, team)),
    ),
  };
}

function personOf(first: string, surname: string): Person {
  const name = first
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLocaleLowerCase('en-US');
  return {
    name,
    ref: `user:${NAMESPACE}/${name}`,
    displayName: `${first} ${surname}`,
    email: `${name}@harbour-goods.example`,
  };
}

function serviceOf(name: string, team: Team): Service {
  const [first, ...rest] = name.split('-').map(word => ACRONYMS[word] ?? word);
  return {
    name,
    title: [first[0].toLocaleUpperCase('en-US') + first.slice(1), ...rest]
      .join(' ')
      .replace(/^IOS/, 'iOS'),
    lakeName: `${NAMESPACE}/${name}`,
    ref: `component:${NAMESPACE}/${name}`,
    job: `${JOB_PREFIX}${name}`,
    repository: `harbour-goods/${name}`,
    team,
  };
}

/** The demo's flags by team; the first service of each team evaluates them. */
export const FLAGS_BY_TEAM: Readonly<Record<string, readonly string[]>> = {
  checkout: ['demo.gift-cards', 'demo.split-payments', 'demo.express-checkout'],
  storefront: ['demo.new-product-page'],
  billing: ['demo.instant-invoices', 'demo.stop-payouts'],
  fulfilment: ['demo.carrier-fallback'],
  accounts: ['demo.loyalty-points'],
  search: ['demo.better-ranking'],
};

/** Returns the flags that a service evaluates. */
export function flagsOfService({ name, team }: Service): readonly string[] {
  return team.plan.services[0] === name ? (FLAGS_BY_TEAM[team.name] ?? []) : [];
}
