/** A service of the demonstration, and how its team works. */
export interface ExampleService {
  name: string;
  repository: string;
  /** True if it shares its repository with others, so that its pipeline lists its changes. */
  listsChanges: boolean;
  /** Average number of deployments per working day. */
  deploymentsADay: number;
  /** Fraction of deployments that fail. */
  failureRate: number;
  /** Maximum hours from commit to landing. */
  reviewHours: number;
  /** Maximum hours until a failure is repaired. */
  repairHours: number;
  /** True if it has weeks with more failures. */
  hasBadWeeks: boolean;
}

const payments = { hasBadWeeks: true, reviewHours: 30, repairHours: 5 };
const platform = { hasBadWeeks: false, reviewHours: 60, repairHours: 2 };

/**
 * Services of the teams `payments` (the first three) and `platform-admins` of the development
 * organisation, and one without a component in the catalog.
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
