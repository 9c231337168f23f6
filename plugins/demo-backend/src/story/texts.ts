/** Commit messages. */
export const COMMIT_MESSAGES = [
  'Round amounts half to even',
  'Retry a request that timed out',
  'Show the order number in the list',
  'Cache exchange rates for an hour',
  'Take the tax rate from the country of delivery',
  'Read the page size from the request',
  'Log why a webhook was refused',
  'Drop the column that nobody reads',
  'Upgrade the database driver',
  'Close connections that are idle',
  'Return 404 for an unknown product',
  'Move the queue to its own pool',
  'Add an index for the nightly export',
  'Escape names in the confirmation mail',
  'Stop reading the old configuration file',
  'Measure how long a lookup takes',
  'Split the handler into two',
  'Accept addresses without a house number',
  'Remove the flag that has been on for months',
  'Test the path that broke last week',
  'Use the new client of the carrier',
  'Limit the size of uploads',
  'Sort by relevance, then by date',
  'Keep the session when the address changes',
] as const;

/** Commit messages of fixes. */
export const FIX_MESSAGES = [
  'Fix the null that the new field brings',
  'Fix the time zone of the cut-off',
  'Restore the default that was removed',
  'Fix the retry that never stopped',
  'Handle an empty response of the carrier',
] as const;

/** Titles of incidents. */
export const INCIDENT_TITLES = [
  'Error rate above 5%',
  'Responses take more than 8 seconds',
  'Queue does not drain',
  '502 at the gateway',
  'Out of memory after the release',
  'Amounts are off by a cent',
  'Duplicate messages',
  'Sign-in loops',
] as const;

/** Cause of a failed build: the step and its output. */
export interface BuildFailure {
  readonly step: string;
  readonly message: string;
  readonly log: string;
}

/** The failure of a build whose release is partially in production. */
export const SMOKE_TEST_FAILURE: BuildFailure = {
  step: 'Deploy',
  message: 'Exit code 1',
  log: [
    'Deployed to 2 of 4 instances',
    'Smoke test: pay with one card ... passed',
    'Smoke test: split a payment ... failed: charged 2 x 40.00, expected 40.00 + 10.00',
    'The deployment stopped',
  ].join('\n'),
};

/** Failures of builds before they deploy. */
export const BUILD_FAILURES: readonly BuildFailure[] = [
  {
    step: 'Test',
    message: 'Exit code 1',
    log: 'AssertionError: expected 200, received 500',
  },
  {
    step: 'Test',
    message: 'Exit code 1',
    log: 'TypeError: cannot read properties of undefined (reading "total")',
  },
  {
    step: 'Test',
    message: 'Exit code 1',
    log: 'Error: connect ECONNREFUSED 127.0.0.1:5432',
  },
  {
    step: 'Package',
    message: 'Exit code 2',
    log: 'error TS2345: argument of type "string | undefined" is not assignable',
  },
  {
    step: 'Check out',
    message: 'Exit code 128',
    log: 'fatal: unable to access the repository: timeout',
  },
];
