/** A service of the demonstration, and how it is worked on. */
export interface ExampleService {
  name: string;
  repository: string;
  /** It shares its repository: its pipeline lists its changes. */
  listsChanges: boolean;
  /** Deployments of a working day, on average. */
  deploymentsADay: number;
  /** Share of deployments that go wrong. */
  failureRate: number;
  /** Hours from commit to landing, at most. */
  reviewHours: number;
  /** Hours until it works again, at most. */
  repairHours: number;
  /** Its bad weeks are bad. */
  hasBadWeeks: boolean;
}

const payments = { hasBadWeeks: true, reviewHours: 30, repairHours: 5 };
const platform = { hasBadWeeks: false, reviewHours: 60, repairHours: 2 };

/**
 * Services of the teams `payments` (the first three) and `platform-admins` of the
 * development organisation, and one that no component of the catalog claims.
 */
export const EXAMPLE_SERVICES: readonly ExampleService[] = [
  {
    ...payments,
    name: 'payments-api',
    repository: 'demo/payments-api',
    listsChanges: false,
    deploymentsADay: 2.2,
    failureRate: 0.05,
  },
  {
    ...payments,
    name: 'checkout',
    repository: 'demo/shop',
    listsChanges: true,
    deploymentsADay: 1.4,
    failureRate: 0.08,
  },
  {
    ...payments,
    name: 'invoices',
    repository: 'demo/shop',
    listsChanges: true,
    deploymentsADay: 0.4,
    failureRate: 0.12,
  },
  {
    ...platform,
    name: 'portal',
    repository: 'demo/slipway',
    listsChanges: true,
    deploymentsADay: 1.1,
    failureRate: 0.04,
  },
  {
    ...platform,
    name: 'ide-launcher',
    repository: 'demo/slipway',
    listsChanges: true,
    deploymentsADay: 0.5,
    failureRate: 0.06,
  },
  {
    ...platform,
    name: 'legacy-reports',
    repository: 'demo/legacy-reports',
    listsChanges: false,
    deploymentsADay: 0.1,
    failureRate: 0.25,
  },
];

export const EXAMPLE_PEOPLE = ['Ada', 'Grace', 'Linus', 'Margaret'];

export const EXAMPLE_WORK = [
  'Round amounts half to even',
  'Retry a payment that timed out',
  'Show the invoice number in the list',
  'Cache exchange rates for an hour',
  'Take the tax rate from the country',
  'Read the page size from the request',
  'Log why a webhook was refused',
  'Drop the column nobody reads',
  'Upgrade the database driver',
  'Close connections that are idle',
];

export const EXAMPLE_TROUBLE = [
  'Payments are declined for no reason',
  'Pages take ten seconds',
  'Sign-in loops',
  'Amounts are off by a cent',
  'The queue does not drain',
  'Errors 502 at the gateway',
];
