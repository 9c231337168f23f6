import {
  type TranslationFunction,
  createTranslationRef,
} from '@backstage/frontend-plugin-api';

/** All texts of the plugin's pages and cards. */
export const deliveryLakeTranslationRef = createTranslationRef({
  id: 'delivery-lake',
  messages: {
    page: {
      title: 'Delivery',
      description:
        'How often, how quickly and how safely changes reach production.',
      loading: 'Loading delivery data',
      statusFailed: "Couldn't load delivery data",
    },
    palette: {
      deployment: 'Deployment',
      incident: 'Incident',
      action: 'Action',
      resolve: 'Resolve incident',
      resolved: 'Resolved: {{title}}',
    },
    service: {
      name: 'The delivery lake',
      data: 'delivery data',
      access:
        'This account may not view delivery data. A platform admin can grant the permission {{permission}}.',
    },
    metric: {
      deploymentFrequency: 'Deployment frequency',
      leadTimeForChanges: 'Lead time for changes',
      changeFailureRate: 'Change failure rate',
      timeToRestoreService: 'Time to restore service',
      failedDeploymentRecoveryTime: 'Failed deployment recovery time',
      deploymentReworkRate: 'Deployment rework rate',
    },
    metricShort: {
      deploymentFrequency: 'Frequency',
      leadTimeForChanges: 'Lead time',
      changeFailureRate: 'Failure rate',
      timeToRestoreService: 'Restore time',
      failedDeploymentRecoveryTime: 'Recovery time',
      deploymentReworkRate: 'Rework rate',
    },
    definition: {
      deploymentFrequency:
        'Deployments to production per week. Rollbacks count; failed and cancelled attempts do not.',
      leadTimeForChanges:
        'Time from commit to the first production deployment that contains it. Median of the changes that reached production in the period.',
      changeFailureRate:
        'Share of production deployments that were rolled back or caused an incident, each counted once. An incident that names no deployment is attributed to the last deployment shortly before it and marked as a guess.',
      timeToRestoreService:
        'How long production was impaired. Median of the outages that ended in the period. Overlapping incidents of a service count as one outage; open incidents are not included.',
      failedDeploymentRecoveryTime:
        'Time from a failed deployment to the end of its incidents or its rollback. Median of the deployments that recovered in the period.',
      deploymentReworkRate:
        'Share of production deployments made to repair production: rollbacks, deployments declared as unplanned, and deployments started during an open incident.',
      levelsTable:
        'Levels follow the table published by DORA in 2023. Each metric is rated on its own.',
      levelsPercentile:
        'Levels compare this with everything else in the lake: better than 90% is elite, 60% high, 30% medium.',
    },
    level: { elite: 'Elite', high: 'High', medium: 'Medium', low: 'Low' },
    value: {
      none: 'No data',
      perDay: '{{value}} per day',
      perWeek: '{{value}} per week',
      perMonth: '{{value}} per month',
    },
    change: {
      higher: {
        deploymentFrequency:
          '{{percent}}% more than in the previous {{days}} days',
        leadTimeForChanges:
          '{{percent}}% longer than in the previous {{days}} days',
        changeFailureRate:
          '{{percent}}% higher than in the previous {{days}} days',
        timeToRestoreService:
          '{{percent}}% longer than in the previous {{days}} days',
        failedDeploymentRecoveryTime:
          '{{percent}}% longer than in the previous {{days}} days',
        deploymentReworkRate:
          '{{percent}}% higher than in the previous {{days}} days',
      },
      lower: {
        deploymentFrequency:
          '{{percent}}% fewer than in the previous {{days}} days',
        leadTimeForChanges:
          '{{percent}}% shorter than in the previous {{days}} days',
        changeFailureRate:
          '{{percent}}% lower than in the previous {{days}} days',
        timeToRestoreService:
          '{{percent}}% shorter than in the previous {{days}} days',
        failedDeploymentRecoveryTime:
          '{{percent}}% shorter than in the previous {{days}} days',
        deploymentReworkRate:
          '{{percent}}% lower than in the previous {{days}} days',
      },
      fromZero: 'Up from zero in the previous {{days}} days',
      stable: 'About the same as in the previous {{days}} days',
      noPrevious: 'No data for the previous {{days}} days',
      better: '{{change}} (better)',
      worse: '{{change}} (worse)',
    },
    trend: {
      increasing: 'rising',
      decreasing: 'falling',
      stable: 'steady',
    },
    samples: {
      deploymentFrequency_one: '{{count, number}} deployment',
      deploymentFrequency_other: '{{count, number}} deployments',
      leadTimeForChanges_one: '{{count, number}} change',
      leadTimeForChanges_other: '{{count, number}} changes',
      changeFailureRate_one: 'of {{count, number}} deployment',
      changeFailureRate_other: 'of {{count, number}} deployments',
      timeToRestoreService_one: '{{count, number}} outage',
      timeToRestoreService_other: '{{count, number}} outages',
      failedDeploymentRecoveryTime_one: '{{count, number}} recovery',
      failedDeploymentRecoveryTime_other: '{{count, number}} recoveries',
      deploymentReworkRate_one: 'of {{count, number}} deployment',
      deploymentReworkRate_other: 'of {{count, number}} deployments',
      guessedFailures_one: '{{count, number}} failure guessed from timing',
      guessedFailures_other: '{{count, number}} failures guessed from timing',
      withoutLeadTime_one: '{{count, number}} with no valid commit time',
      withoutLeadTime_other: '{{count, number}} with no valid commit time',
      openIncidents_one: '{{count, number}} open incident',
      openIncidents_other: '{{count, number}} open incidents',
    },
    filter: {
      label: 'Filters',
      scope: 'Team, project or service',
      everything: 'Everything',
      teams: 'Teams',
      projects: 'Projects',
      services: 'Services',
      clear: 'Clear',
      environment: 'Environment',
      anyEnvironment: 'Any environment',
      status: 'Status',
      anyStatus: 'Any status',
      outcome: 'Outcome',
      anyOutcome: 'Any outcome',
      failed: 'Failed in production',
      held: 'Succeeded in production',
      state: 'State',
      anyState: 'Open and resolved',
      open: 'Open',
      resolved: 'Resolved',
    },
    export: {
      label: 'Export CSV',
      failed: "Couldn't export the file",
    },
    overview: {
      failed: "Couldn't load metrics",
      loading: 'Loading metrics',
      tiles: 'Metrics for the period',
    },
    chart: {
      title: 'Over time',
      failed: "Couldn't load charts",
      loading: 'Loading charts',
      interval: 'Interval',
      day: 'Day',
      week: 'Week',
      month: 'Month',
      byDay: '{{metric}} by day',
      byWeek: '{{metric}} by week',
      byMonth: '{{metric}} by month',
      asTable: 'View as table',
      time: 'Time',
      value: 'Value',
      notes: 'Notes',
      partial: 'incomplete {{interval}}',
      provisional: 'recent, may still change',
      legend:
        'Hollow, dashed or hatched points cover an incomplete interval, or are so recent that incidents may still be reported.',
    },
    improve: {
      title: 'Where to improve',
      failed: "Couldn't load suggestions",
      loading: 'Loading suggestions',
      none: 'Nothing stands out: no metric is at level low, and none got worse.',
      noPart: 'No team or service stands out. Worse overall: {{metrics}}.',
      lowLevel: '{{value}}, level {{level}}',
      gotWorse: '{{value}}, {{trend}} and worse than before',
    },
    breakdown: {
      team: 'By team',
      project: 'By project',
      service: 'By service',
      name: 'Name',
      failed: "Couldn't load comparison",
      loading: 'Loading comparison',
      empty: 'Nothing to compare for this scope and period.',
      truncated: 'Showing the first {{shown}}. Narrow the scope to see others.',
    },
    deployments: {
      label: 'Deployments',
      nounOne: 'deployment',
      nounMany: 'deployments',
      search: 'Search deployments',
      loading: 'Loading deployments',
      failed: "Couldn't load deployments",
      emptyTitle: 'No matching deployments',
      emptyDescription: 'Choose a longer period or clear the filters.',
    },
    records: {
      more: 'Load more',
    },
    deployment: {
      service: 'Service',
      version: 'Version',
      environment: 'Environment',
      status: 'Status',
      finished: 'Finished',
      started: 'Started',
      took: 'Duration',
      by: 'Deployed by',
      commit: 'Commit',
      outcome: 'Outcome',
      running: 'Running',
      team: 'Team',
      project: 'Project',
      repository: 'Repository',
      source: 'Source',
      recovered: 'Recovered',
      notRecovered: 'Not yet',
      counts: 'Included in metrics',
      yes: 'Yes',
      no: 'No',
      none: 'None',
      open: 'Open at source',
      build: 'View build',
      actions: 'Actions for {{title}}',
      loading: 'Loading deployment',
      failed: "Couldn't load deployment",
      notFound: 'Deployment not found',
      notFoundAdvice:
        'It may have been withdrawn by the system that reported it.',
      changes: 'Changes',
      changesNone:
        'No known changes. A deployment that lists none includes the pushes to its repository since the previous deployment.',
      changesUndelivered:
        'A failed deployment delivers no changes. They count for the next one that succeeds.',
      changesShown: 'Showing the first {{shown}} of {{total}}.',
      authorsHidden:
        'Authors and times are shown only to the team that owns the service.',
      leadTime: 'Lead time',
      noLeadTime: 'No lead time',
      incidents: 'Incidents',
      incidentsNone: 'No incidents.',
      incidentsFailed: "Couldn't load incidents",
      incidentsLoading: 'Loading incidents',
      incidentsAfter:
        'None is known to be caused by it. These started in the week after it, and their cause is unknown:',
      guessed: 'guessed from timing',
    },
    status: {
      PENDING: 'Pending',
      IN_PROGRESS: 'In progress',
      SUCCESS: 'Deployed',
      FAILURE: 'Failed',
      CANCELLED: 'Cancelled',
      ROLLED_BACK: 'Rolled back',
    },
    mark: {
      failedIncident: 'Failed: incident',
      failedRollback: 'Failed: rolled back',
      failedGuess: 'Failed: incident soon after (guess)',
      reworkDeclared: 'Repair',
      reworkRollback: 'Rollback',
      reworkGuess: 'Repair (guess)',
    },
    incidents: {
      label: 'Incidents',
      nounOne: 'incident',
      nounMany: 'incidents',
      search: 'Search incidents',
      loading: 'Loading incidents',
      failed: "Couldn't load incidents",
      emptyTitle: 'No matching incidents',
      emptyDescription: 'Choose a longer period or clear the filters.',
      title: 'Incident',
      service: 'Service',
      state: 'State',
      severity: 'Severity',
      started: 'Started',
      duration: 'Duration',
      cause: 'Caused by',
      open: 'Open',
      resolved: 'Resolved',
      noService: 'Unknown',
      noCause: 'Unknown',
      before: 'Preceding deployments',
      guessed: '(guess)',
      actions: 'Actions',
    },
    incident: {
      loading: 'Loading incident',
      failed: "Couldn't load incident",
      notFound: 'Incident not found',
      noSeverity: 'Not reported',
      notResolved: 'Not yet',
      before: 'Deployments in the week before',
      beforeNone: 'No deployments in the week before.',
      since: 'Deployments since the start',
      during: 'Deployments during the incident',
      duringNone: 'No deployments.',
      changes: 'Changes in {{title}}',
      note: {
        cause: 'Cause',
        causeGuess: 'Cause (guess)',
        fix: 'Resolved it (guess)',
      },
    },
    connections: {
      label: 'Connected repositories and incident trackers',
      add: 'Connect a repository',
      addTracker: 'Connect an incident tracker',
      create: 'Connect',
      createFailed: "Couldn't connect the repository",
      trackerFailed: "Couldn't connect {{tracker}}",
      tracker: 'Incident tracker',
      failed: "Couldn't load connections",
      deniedTitle: 'Connections are managed by admins',
      deniedDescription:
        'A platform admin connects repositories and incident trackers, so that pushes, deployments and incidents appear in Delivery.',
      loading: 'Loading connections',
      emptyTitle: 'Nothing is connected',
      emptyDescription:
        'Pushes, merges, deployments, releases and issues of a connected repository appear in Delivery automatically, and so do incidents from PagerDuty and Jira. Slipway creates the address of the webhook.',
      address: 'Repository',
      addressHelp: 'Its web or clone address, or owner/name',
      addressMissing: 'Enter the address of a repository, or owner/name',
      repository: 'Repository or account',
      forge: 'Forge',
      source: 'Source',
      state: 'State',
      last: 'Last delivery',
      connected: 'Connected',
      waiting: 'Waiting',
      refused: 'Refused',
      progress: 'Set-up',
      stepCreated: 'Address and secret created',
      stepDelivery: 'First delivery received',
      stepEvent: 'First change, deployment or incident recorded',
      stepIncident: 'First incident recorded',
      waitingHelp:
        'Add the webhook below. This page updates as soon as something is received.',
      refusedHelp:
        'The last delivery had a wrong signature. Check the secret of the webhook.',
      received: 'Last delivery: {{event}}',
      accepted_one: '{{count, number}} event recorded',
      accepted_other: '{{count, number}} events recorded',
      webhookTitle: '1. Add the webhook',
      webhookText:
        'In {{forge}}, open the repository, then {{page}}, and enter this address.',
      trackerText: 'In {{forge}}, open {{page}}, and enter this address.',
      copyAddress: 'Copy webhook address',
      localOnly:
        'Only this machine can reach this address. For a sender elsewhere, set backend.baseUrl in the portal configuration to an address that it can reach.',
      secretText:
        'Enter this secret, too. It is not shown again after you leave this page.',
      copySecret: 'Copy secret',
      secretHidden: 'The secret was shown when it was created.',
      replace: 'Create a new secret',
      replaceTitle: 'Create a new secret for {{repository}}?',
      replaceText:
        'Deliveries signed with the old secret are rejected until you enter the new one where the webhook was added.',
      contentType: 'Content type',
      events: 'Events',
      catalogTitle: '2. Name the repository in the catalog',
      catalogText:
        'A component whose source is in this repository is found without further steps. Otherwise, add this annotation to its catalog-info.yaml.',
      serviceTitle: '2. Name the component in the catalog',
      copyAnnotation: 'Copy annotation',
      newDescriptorText:
        'If it has no catalog-info.yaml yet, GitHub can open a pull request with one.',
      newDescriptor: 'Propose on github.com',
      import: 'Register a component',
      remove: 'Remove connection',
      removeTitle: 'Remove the connection to {{repository}}?',
      removeText:
        'Its webhook is rejected from then on. What it has reported is kept.',
      removed: 'Connection removed',
      pagerduty: {
        address: 'Account',
        addressHelp: 'Its address, such as acme.pagerduty.com',
        addressMissing: 'Enter the address of your PagerDuty account',
        stepCreated: 'Address created',
        stepSecret: 'Secret of PagerDuty entered',
        refusedHelp:
          'The last delivery had a wrong signature. Enter the secret of this webhook. If you do not have it any more, delete the webhook in PagerDuty and add it again.',
        waitingHelp:
          'In PagerDuty, choose Send Test Event; if the webhook was disabled, enable it first. This page updates as soon as something is received.',
        secretText:
          'PagerDuty creates the secret of the webhook, and shows it once after you have added the webhook. Enter it here.',
        secretStored:
          'The secret of the webhook is stored. If PagerDuty has created another one, enter that.',
        enter: 'Enter the secret',
        enterNew: 'Enter another secret',
        save: 'Save secret',
        saveFailed: "Couldn't save the secret",
        secret: 'Secret',
        secretHelp: 'As PagerDuty shows it when the webhook is added',
        secretMissing: 'Enter the whole secret, without spaces',
        scope:
          'Choose the scope Account, or a team or service to report only their incidents. Then choose Send Test Event.',
        catalogText:
          'An incident belongs to the component with the id of its service, which is the last part of the address of the service in PagerDuty. A component with the same name as the service is found without further steps. The integration key is not part of webhooks.',
      },
      jira: {
        address: 'Site',
        addressHelp: 'Its address, such as acme.atlassian.net',
        addressMissing: 'Enter the address of your Jira site',
        scope:
          'Issues of the type Incident or with the label incident are incidents; the portal configuration can name others. To send only some projects, add a filter to the webhook, such as project = SHOP. Do not filter by status, type or label: the end of an incident would not be sent.',
        catalogText:
          'An issue belongs to the component with the key of its project. To divide a project between components, add jira/component or jira/label to each of them, too.',
      },
    },
    unmatched: {
      failed: "Couldn't load unmatched records",
      loading: 'Loading unmatched records',
      noneTitle: 'Everything is matched',
      noneDescription:
        'Every reported service belongs to a component in the catalog, and every incident to a service. Records that cannot be matched appear here.',
      services: 'Services without a component',
      servicesText:
        'They are included in the overall metrics, but not in those of any team or project. Add the name to the catalog-info.yaml of the matching component.',
      snippet: 'Copy annotation for {{name}}',
      service: 'Service',
      deployments: 'Deployments',
      incidents: 'Incidents',
      lastSeen: 'Last seen',
      sources: 'Source',
      reason: 'Reason',
      unknown: 'No component has this name',
      ambiguous: 'Several components share this name',
      candidates: 'Candidates: {{names}}',
      annotation: 'Annotation for the component',
      incidentsTitle: 'Incidents without a service',
      incidentsText:
        'They name no known service or deployment, so no metric includes them.',
      incidentsMore: 'Showing the latest {{shown}} of {{total}}.',
      incident: 'Incident',
      began: 'Started',
      source: 'Source',
      deliveries: 'Webhook deliveries with no effect',
      deliveriesText:
        'Rejected deliveries are invalid. Ignored deliveries contain nothing that the lake records.',
      channel: 'Source',
      type: 'Event',
      received: 'Received',
      outcome: 'Outcome',
      ignored: 'Ignored',
      rejected: 'Rejected',
      withoutChange_one:
        '{{count, number}} production deployment has no lead time because its commit is unknown. Send push events as well.',
      withoutChange_other:
        '{{count, number}} production deployments have no lead time because their commits are unknown. Send push events as well.',
    },
    empty: {
      title: 'No deployments yet',
      description:
        'Four metrics appear here: how often, how quickly and how safely changes reach production, each with its trend and the deployments and incidents behind it. There are three ways to report deployments. This page updates automatically.',
      curlTitle: 'Report a deployment from a pipeline or a terminal',
      curlText:
        'Ready to run: reports a deployment of the service checkout that finished a minute ago.',
      curlToken:
        'First set SLIPWAY_TOKEN to a service token with the permission {{permission}}.',
      copyCurl: 'Copy curl command',
      webhookTitle: 'Connect a forge',
      webhookText:
        'Admins connect single repositories under Connections. For a whole organisation, add a webhook for pushes, merges, deployments, releases and issues, and set its secret in deliveryLake.webhooks.<forge>.secrets in the portal configuration.',
      copyAddress: 'Copy address for {{forge}}',
      fileTitle: 'Import a file',
      fileText:
        'One record per line, as JSON or CSV. The first command writes an example file; the second imports it, or a file of your own.',
      copyImport: 'Copy import command',
      copyExample: 'Copy example command',
    },
    card: {
      title: 'Delivery',
      period: 'Last {{days}} days',
      failed: "Couldn't load delivery metrics",
      loading: 'Loading delivery metrics',
      none: 'No deployments in the last {{days}} days.',
      lastDeployment: 'Last deployment',
      all: 'View delivery',
      history: 'Deployments',
      incidents: 'Incidents',
      allDeployments: 'All deployments',
      allIncidents: 'All incidents',
      noneReported: 'No deployments yet',
      noneReportedText:
        'Deployments appear here when they are reported under the name of this component, its entity ref, or a name in its annotation {{annotation}}.',
      noneOfComponents:
        'Deployments of its components appear here once they are reported.',
      noIncidents: 'No incidents.',
    },
    versions: {
      title: 'Running versions',
      label: 'Running versions by component and environment',
      component: 'Component',
      loading: 'Loading versions',
      failed: "Couldn't load versions",
      none: 'None of its components has been deployed yet.',
      truncated: 'It has more services than are shown here.',
    },
    home: {
      ofTeam: 'Team {{team}}',
      ofEverything: 'Everything',
      open: 'View delivery',
    },
  },
});

/** Translates one of the plugin's texts. */
export type Translate = TranslationFunction<
  (typeof deliveryLakeTranslationRef)['T']
>;
