/** Performance of a team: the deployments and failures of each of its services. */
export interface TeamPerformance {
  /** Releases of a service per week, on average. */
  readonly releasesPerWeek: number;
  /** Hours from a commit to its release, on average. */
  readonly leadHours: number;
  /** Share of releases that cause an incident. */
  readonly failureRate: number;
  /** Hours until an incident is resolved, on average. */
  readonly restoreHours: number;
  /** Share of builds that fail. */
  readonly buildFailureRate: number;
  /** Average answer of team members in the pulse survey, 1 to 5. */
  readonly satisfaction: number;
  /** Average cognitive load of team members, 0 to 100. */
  readonly load: number;
}

/** A team of the demo organisation. */
export interface TeamPlan {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** First names; the first person is the team lead. */
  readonly people: readonly string[];
  readonly services: readonly string[];
  /** Performance half a year ago and today. */
  readonly then: TeamPerformance;
  readonly now: TeamPerformance;
}

const STEADY: TeamPerformance = {
  releasesPerWeek: 1.2,
  leadHours: 30,
  failureRate: 0.08,
  restoreHours: 1.8,
  buildFailureRate: 0.14,
  satisfaction: 3.7,
  load: 48,
};

const steady = (change: Partial<TeamPerformance> = {}) => {
  const performance = { ...STEADY, ...change };
  return { then: performance, now: performance };
};

/** The twelve teams of Harbour Goods, a fictional shop. */
export const TEAMS: readonly TeamPlan[] = [
  {
    name: 'checkout',
    title: 'Checkout',
    description: 'From the cart to the paid order.',
    people: ['Mira', 'Jonas', 'Amara', 'Felix', 'Noor'],
    services: words(
      'checkout-api cart-api pricing-api tax-engine promotions-api checkout-web order-gateway',
    ),
    ...steady({ releasesPerWeek: 1.9, leadHours: 16, satisfaction: 4 }),
  },
  {
    name: 'billing',
    title: 'Billing',
    description:
      'Invoices, payouts and refunds. Moved to small changes and trunk-based work this year.',
    people: ['Tomás', 'Priya', 'Henrik', 'Lucia', 'Owen'],
    services: words(
      'billing-api invoices-api payouts-worker ledger-api refunds-api card-vault dunning-worker',
    ),
    then: {
      releasesPerWeek: 0.45,
      leadHours: 110,
      failureRate: 0.26,
      restoreHours: 6.5,
      buildFailureRate: 0.32,
      satisfaction: 2.6,
      load: 71,
    },
    now: {
      releasesPerWeek: 2.4,
      leadHours: 8,
      failureRate: 0.03,
      restoreHours: 0.6,
      buildFailureRate: 0.07,
      satisfaction: 4.6,
      load: 38,
    },
  },
  {
    name: 'fulfilment',
    title: 'Fulfilment',
    description:
      'Warehouse, shipping and returns. Lost two people, kept all services.',
    people: ['Ingrid', 'Samir', 'Chloe', 'Darius', 'Yuki'],
    services: words(
      'warehouse-api picking-app shipping-api carrier-adapter returns-api stock-sync label-printer',
    ),
    then: {
      releasesPerWeek: 1.5,
      leadHours: 28,
      failureRate: 0.09,
      restoreHours: 1.2,
      buildFailureRate: 0.13,
      satisfaction: 3.9,
      load: 45,
    },
    now: {
      releasesPerWeek: 0.6,
      leadHours: 150,
      failureRate: 0.34,
      restoreHours: 9,
      buildFailureRate: 0.38,
      satisfaction: 2.1,
      load: 80,
    },
  },
  {
    name: 'products',
    title: 'Products',
    description: 'What is for sale, with pictures and prices.',
    people: ['Elena', 'Kofi', 'Marta', 'Liam', 'Sana'],
    services: words(
      'products-api media-api categories-api product-import reviews-api stock-view products-admin',
    ),
    ...steady(),
  },
  {
    name: 'search',
    title: 'Search',
    description: 'Finding things.',
    people: ['Viktor', 'Ayesha', 'Paulo', 'Greta', 'Niko'],
    services: words(
      'search-api search-indexer suggest-api ranking-model facets-api synonyms-admin',
    ),
    ...steady({ releasesPerWeek: 1.6, leadHours: 20, failureRate: 0.06 }),
  },
  {
    name: 'storefront',
    title: 'Storefront',
    description: 'The pages that customers see.',
    people: ['Anouk', 'Rafael', 'Hanna', 'Dmitri', 'Zoe'],
    services: words(
      'storefront-web home-page product-page content-api image-proxy edge-router consent-banner',
    ),
    ...steady({ releasesPerWeek: 2.2, leadHours: 14, satisfaction: 3.9 }),
  },
  {
    name: 'accounts',
    title: 'Accounts',
    description: 'Sign-in, addresses and loyalty.',
    people: ['Leila', 'Oscar', 'Beatriz', 'Callum', 'Mei'],
    services: words(
      'accounts-api sign-in-web sessions-api address-book loyalty-api preferences-api consents-api',
    ),
    ...steady({ leadHours: 36, failureRate: 0.05 }),
  },
  {
    name: 'mobile',
    title: 'Mobile',
    description: 'The apps and what serves them.',
    people: ['Theo', 'Fatima', 'Bruno', 'Astrid', 'Ravi'],
    services: words(
      'mobile-gateway ios-app android-app push-worker deep-links app-config',
    ),
    ...steady({ releasesPerWeek: 0.8, leadHours: 60 }),
  },
  {
    name: 'insights',
    title: 'Insights',
    description: 'Events, reports and experiments.',
    people: ['Clara', 'Emeka', 'Sofia', 'Jan', 'Dana'],
    services: words(
      'events-pipeline reports-api experiments-api forecast-job exports-api metrics-store data-quality',
    ),
    ...steady({ releasesPerWeek: 1, leadHours: 44, satisfaction: 3.5 }),
  },
  {
    name: 'messaging',
    title: 'Messaging',
    description: 'Mail, text messages and campaigns.',
    people: ['Isla', 'Mateo', 'Petra', 'Wale', 'Nina'],
    services: words(
      'mail-worker sms-worker templates-api campaigns-api inbox-api preferences-web',
    ),
    ...steady({ releasesPerWeek: 0.9, failureRate: 0.1 }),
  },
  {
    name: 'support',
    title: 'Support tools',
    description: 'What colleagues use who talk to customers.',
    people: ['Jade', 'Hugo', 'Tariq', 'Olga', 'Ben'],
    services: words(
      'helpdesk-web order-lookup refunds-desk chat-bridge knowledge-base call-router',
    ),
    ...steady({ releasesPerWeek: 0.7, leadHours: 52, satisfaction: 3.4 }),
  },
  {
    name: 'platform',
    title: 'Developer platform',
    description: 'What everybody else builds on.',
    people: ['Irene', 'Malik', 'Stefan', 'Aoife', 'Kenji'],
    services: words(
      'build-images deploy-agent secrets-broker api-gateway service-mesh log-pipeline feature-gate',
    ),
    ...steady({
      releasesPerWeek: 2.8,
      leadHours: 7,
      failureRate: 0.03,
      restoreHours: 0.5,
      buildFailureRate: 0.08,
      satisfaction: 4.3,
      load: 41,
    }),
  },
];

function words(text: string): string[] {
  return text.split(' ');
}

/** Interpolates how a team works at a given time. @param part - from 0, half a year ago, to 1, today. */
export function performanceAt(
  { then, now }: TeamPlan,
  part: number,
): TeamPerformance {
  const between = (from: number, to: number) => from + (to - from) * part;
  return Object.fromEntries(
    (Object.keys(then) as (keyof TeamPerformance)[]).map(key => [
      key,
      between(then[key], now[key]),
    ]),
  ) as unknown as TeamPerformance;
}
