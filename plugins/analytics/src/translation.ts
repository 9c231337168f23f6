import {
  type TranslationFunction,
  createTranslationRef,
} from '@backstage/frontend-plugin-api';

/** Every text of the plugin's pages and dialogs. */
export const analyticsTranslationRef = createTranslationRef({
  id: 'analytics',
  messages: {
    page: {
      title: 'Analytics',
      description: 'What people do in your products, event by event.',
      project: 'Project',
      loading: 'Loading projects',
      failed: "Couldn't load projects",
      emptyTitle: 'No projects',
      emptyDescription:
        'Each product has its own project. Projects are configured in analytics.projects.',
    },
    service: {
      name: 'The analytics service',
      data: 'analytics',
      access:
        'This account may not view analytics. Access is set in analytics.admins.',
    },
    live: {
      title: 'Live events',
      event: 'Event',
      anyEvent: 'All events',
      user: 'User',
      hidden: 'Hidden',
      page: 'Page',
      time: 'Time',
      arrived: 'Received',
      id: 'Id',
      nounOne: 'event',
      nounMany: 'events',
      pause: 'Pause',
      goOn: 'Resume',
      loading: 'Loading events',
      failed: "Couldn't load events",
      none: 'No events with this name in the last 24 hours.',
    },
    connect: {
      title: 'Connect a product',
      text: 'Send events with a PostHog SDK or plain HTTP and a project key. They appear under Live events at once. Create keys in the project settings.',
      page: 'In a page: the PostHog snippet, or posthog-js, with this address',
      server: 'In Node',
      http: 'With curl',
      copyPage: 'Copy page code',
      copyInstall: 'Copy install command',
      copyCode: 'Copy code',
      copyCurl: 'Copy curl command',
    },
    ingestion: {
      title: 'Events that queries do not show',
      deferred: 'Deferred to a later minute, over the limit',
      last: 'last',
      reasons: {
        over_limit: 'Dropped in 7 days: too many over the limit',
        no_event_name: 'Dropped in 7 days: no event name',
        no_distinct_id: 'Dropped in 7 days: no user id',
        not_an_object: 'Dropped in 7 days: not an event',
      },
    },
    query: {
      event: 'Event',
      period: 'Period',
      periods: {
        '-1h': 'Last hour',
        '-24h': 'Last 24 hours',
        '-7d': 'Last 7 days',
        '-30d': 'Last 30 days',
        all: 'All time',
      },
      columns: 'Columns',
      where: 'Filters',
      run: 'Run',
      result: 'Result',
      csv: 'Download CSV',
      json: 'Download JSON',
      more: 'Showing the first 100 rows. Choose a shorter period or group the rows to see all.',
      loading: 'Running query',
      failed: 'Query failed',
      emptyTitle: 'No results',
      emptyDescription:
        'No matching events in this period. Choose a longer period, or all events.',
    },
    settings: {
      title: 'Keys and tokens',
      create: 'Create key or token',
      createFailed: "Couldn't create key or token",
      loading: 'Loading keys',
      failed: "Couldn't load keys",
      denied: 'Only platform admins can create and revoke keys.',
      emptyTitle: 'No keys',
      emptyDescription: 'A product needs a project key to send events.',
      name: 'Name',
      nameMissing: 'Enter a name',
      kind: 'Type',
      kinds: { capture: 'Project key', query: 'API token' },
      captureHelp: 'Project key: lets products send events',
      queryHelp: 'API token: lets programs run queries',
      secret: 'Ends with',
      made: 'Created',
      configured: 'From configuration',
      revoke: 'Revoke',
      revokeNamed: 'Revoke {{name}}',
      revokeTitle: 'Revoke {{name}}?',
      revokeText:
        'Applications that use it are rejected within ten seconds. Events already received are kept.',
      madeTitle: 'Copy it now',
      madeText: "It won't be shown again. Only a hash is stored.",
      copy: 'Copy',
      done: 'Done',
    },
  },
});

/** Writes one of the plugin's texts. */
export type Translate = TranslationFunction<
  (typeof analyticsTranslationRef)['T']
>;
