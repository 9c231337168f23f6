import {
  type TranslationFunction,
  createTranslationRef,
} from '@backstage/frontend-plugin-api';

/** Every text of the plugin's pages, cards and dialogs. */
export const spaceTranslationRef = createTranslationRef({
  id: 'space',
  messages: {
    page: {
      title: 'Experience',
      description:
        'How it is to build here, over five dimensions: what people say beside what systems count.',
    },
    service: {
      name: 'The experience service',
      data: 'experience data',
      access:
        'The experience service does not let this account read or send. Whoever runs it decides that in spaceMetrics.auth.',
    },
    filter: {
      team: 'Team',
      everybody: 'Everybody',
    },
    dimension: {
      satisfaction: 'Satisfaction',
      performance: 'Performance',
      activity: 'Activity',
      communication: 'Communication',
      efficiency: 'Efficiency',
    },
    about: {
      satisfaction:
        'What people answer in pulse surveys: how satisfied they are, and whether they would recommend working here.',
      performance:
        'What reaches users, and how well: deployments and lead time from the delivery lake, results of builds. Of teams and systems, never of one person.',
      activity:
        'What happens in repositories, without bots and merge commits. It shows load and rhythm. It is no measure of a person or of what work is worth: read it beside satisfaction and efficiency, and set no target on it.',
      communication:
        'What people tell each other: comments in reviews, changes to documentation, and how many chat messages there are. Messages are counted, never read.',
      efficiency:
        'How freely work flows: to a first commit for those who join, to production for a change, and how heavy tasks feel.',
    },
    caution: {
      activity:
        'Load and rhythm of a team, not what its work is worth. Set no target on it.',
    },
    field: {
      avg_rating: 'Rating',
      enps_score: 'eNPS',
      response_count: 'Answers',
      deployment_frequency: 'Deployments',
      lead_time_hours: 'Lead time',
      build_success_rate: 'Builds that pass',
      commits_per_week: 'Commits',
      prs_merged: 'Merged changes',
      active_days: 'Active days',
      pr_comments: 'Review comments',
      docs_updates: 'Docs updates',
      chat_messages: 'Chat messages',
      time_to_first_commit_hours: 'Time to first commit',
      time_to_production_hours: 'Time to production',
      cognitive_load_index: 'Cognitive load',
    },
    definition: {
      avg_rating: 'Mean of the answers to overall satisfaction, from 1 to 5.',
      enps_score:
        'Share of those who would recommend working here less the share of those who would not, from −100 to 100. By the question from 0 to 10 where it was answered (9 and 10 against 0 to 6), else by overall satisfaction (5 against 1 to 3). With few answers one person moves it far.',
      response_count:
        'Pulse surveys answered in the period: of each person the last answer to a survey.',
      deployment_frequency: 'Deployments to production per week.',
      lead_time_hours:
        'From commit to production: the median over changes that arrived in the period.',
      build_success_rate:
        'Builds that succeeded of those that finished. Aborted ones do not count.',
      commits_per_week:
        'Commits per week, without bots and merge commits. Not a measure of anybody.',
      prs_merged: 'Pull and merge requests merged in the period.',
      active_days:
        'Days with at least one commit, review or comment: the mean over the people who have any. More is not better: rest days are not a fault.',
      pr_comments: 'Comments on pull and merge requests, without bots.',
      docs_updates: 'Commits that change documentation.',
      chat_messages:
        'How many messages were sent in the channels that are counted. Never what they say.',
      time_to_first_commit_hours:
        'From the first day of people who joined to their first commit: the mean over those whose first commit fell in the period.',
      time_to_production_hours:
        'From the first commit of a change until it runs in production, as the delivery lake measures it.',
      cognitive_load_index:
        'Mean of the six raw NASA-TLX scores of a task, 0 to 100; higher is heavier.',
    },
    value: {
      none: 'No data',
      hidden: 'Hidden',
      rating: '{{value}} of 5',
      perWeek: '{{value}} a week',
      days_one: '{{value}} day',
      days_other: '{{value}} days',
      percent: '{{value}} %',
      index: '{{value}} of 100',
    },
    samples: {
      responses_one: '{{count}} answer',
      responses_other: '{{count}} answers',
      people_one: '{{count}} person',
      people_other: '{{count}} people',
      deployments_one: '{{count}} deployment',
      deployments_other: '{{count}} deployments',
      changes_one: '{{count}} change',
      changes_other: '{{count}} changes',
      builds_one: '{{count}} build',
      builds_other: '{{count}} builds',
      joiners_one: '{{count}} joiner',
      joiners_other: '{{count}} joiners',
      assessments_one: '{{count}} assessment',
      assessments_other: '{{count}} assessments',
    },
    hidden: {
      short: 'not yet, or fewer than {{minimum}} people',
      panel:
        'Numbers appear once a week when at least {{minimum}} people stand behind them; those of the pulse survey when the survey closes.',
      stale:
        'The delivery lake does not answer: deployments and times to production are old or missing.',
    },
    trend: {
      improving: 'Improving',
      stable: 'Stable',
      declining: 'Declining',
      more: 'More than before',
      same: 'As before',
      less: 'Less than before',
    },
    change: {
      same: 'as in the {{days}} days before',
      better: '{{change}}: better',
      worse: '{{change}}: worse',
      points: {
        up: '{{amount}} points above the {{days}} days before',
        down: '{{amount}} points below the {{days}} days before',
      },
      percent: {
        up: '{{amount}} % more than the {{days}} days before',
        down: '{{amount}} % less than the {{days}} days before',
      },
      time: {
        up: '{{amount}} % longer than the {{days}} days before',
        down: '{{amount}} % shorter than the {{days}} days before',
      },
    },
    overview: {
      failed: '{{dimension}} could not be read',
      loading: 'Loading {{dimension}}',
      emptyTitle: 'Nothing measured yet',
      emptyDescription:
        'Five dimensions will stand here, each with its values, where they come from and where they go: from pulse surveys, friction logs and task load of people, and from deployments, builds and repositories. The first answer is the quickest way in.',
      emptyAction: 'Answer the pulse survey',
      emptyAdvice: 'Choose a longer period or another team to see more.',
    },
    source: {
      satisfaction: 'Comes from pulse surveys. Send one from anywhere:',
      performance:
        'Comes from deployments in the delivery lake and from builds. Report a build:',
      activity:
        'Comes from webhooks of GitHub, GitLab, Gitea or Forgejo. Report by hand:',
      communication:
        'Comes from reviews and documentation in repositories, and from a chat counter:',
      efficiency:
        'Comes from task load, joiners and the delivery lake. Send a task load:',
      copy: 'Copy command for {{dimension}}',
    },
    chart: {
      by: 'Points by',
      daily: 'Day',
      weekly: 'Week',
      monthly: 'Month',
      byDaily: '{{field}} by day',
      byWeekly: '{{field}} by week',
      byMonthly: '{{field}} by month',
      field: 'Number of {{dimension}} to draw',
      nothing:
        'Nothing to draw: no part of this period has a value that may be shown.',
      asTable: '{{dimension}} as table',
      time: 'Time',
      value: 'Value',
      notes: 'Notes',
      hidden: 'Hidden: fewer than {{minimum}} people',
    },
    friction: {
      log: 'Log friction',
      title: 'Top friction',
      failed: 'Friction could not be read',
      loading: 'Loading friction',
      label: 'Friction by time lost',
      category: 'Category',
      time: 'Time lost',
      share: 'Of all time lost',
      reporters: 'People',
      entries: 'Entries',
      all: 'All friction',
      emptyTitle: 'No friction logged',
      emptyDescription:
        'What costs time will stand here by category, ranked by time lost and by how many different people reported it. Log the next thing that gets in the way, here or with the command “Log friction” (Ctrl K) from any page.',
      logFirst: 'Log what got in the way',
      withheldTitle: 'No friction that may be shown yet',
      withheld:
        'A kind of friction appears once a week when at least {{minimum}} people reported it.',
      nounOne: 'category',
      nounMany: 'categories',
      words: 'In their words',
      wordsNote: 'In no order, without who wrote them and when.',
      wordsShown: 'Only what {{minimum}} or more people wrote alike.',
      unknownTitle: 'Nothing to show of {{category}}',
      unknownDescription:
        'Nobody reported it in this period, or too few people to show it.',
    },
    severity: {
      low: 'Low',
      medium: 'Medium',
      high: 'High',
      critical: 'Critical',
    },
    category: {
      build: 'Build',
      deployment: 'Deployment',
      testing: 'Testing',
      tooling: 'Tooling',
      documentation: 'Documentation',
      environment: 'Environment',
      process: 'Process',
      other: 'Other',
    },
    logFriction: {
      title: 'Log friction',
      category: 'What kind',
      description: 'What got in the way',
      descriptionHelp:
        'Colleagues read it only where enough people wrote the same. Leave names out.',
      severity: 'How bad',
      minutes: 'Minutes lost',
      quick: 'Minutes lost, quick choice',
      submit: 'Log friction',
      descriptionMissing: 'Say in a few words what got in the way',
      minutesMissing: 'Say how many minutes it took, 0 if none',
      failed: 'The friction was not logged',
      doneTitle: 'Friction logged',
      done: '{{category}}, {{duration}}. It counts towards what gets in the way of your team.',
      others: 'What others logged in the last 30 days',
      othersNone:
        'Nothing that may be shown yet: it takes {{minimum}} people to report the same kind.',
      othersLine_one: '{{duration}}, {{count}} person',
      othersLine_other: '{{duration}}, {{count}} people',
      another: 'Log another',
      close: 'Close',
    },
    pulse: {
      title: 'Two questions about your week',
      intro:
        'Keys 1 to 5 answer, Enter sends. Answers are only ever shown as part of a group.',
      satisfaction: 'How satisfied are you with working here?',
      satisfactionLow: 'Not at all',
      satisfactionHigh: 'Very',
      productivity: 'How productive did your week feel?',
      productivityLow: 'Nothing moved',
      productivityHigh: 'In flow',
      recommend: 'How likely would you recommend working here to a friend?',
      recommendLow: 'Not likely',
      recommendHigh: 'Very likely',
      optional: 'optional',
      more: 'Say more',
      blockers: 'What blocked you?',
      wins: 'What went well?',
      submit: 'Send answers',
      unanswered: 'Choose a number from 1 to 5',
      failed: 'The answers were not sent',
      doneTitle: 'Answers sent',
      done: 'They are counted, without your name.',
      replaces:
        'Until the survey closes you can answer again: your last answers count.',
      again: 'Answer again',
    },
    others: {
      title: 'What others said',
      team: '{{team}}, last 30 days',
      everybody: 'Everybody, last 30 days',
      loading: 'Loading what others said',
      failed: 'What others said could not be read',
      stances:
        '{{promoters}} would recommend working here, {{passives}} undecided, {{detractors}} would not.',
      hidden:
        'Not shown yet: it takes answers of {{minimum}} people and a survey that has closed, so that nobody can be picked out.',
      open: 'Open satisfaction over time',
    },
    reminder: {
      title: 'Reminder',
      failed: 'The reminder could not be read',
      notChanged: 'The reminder was not changed',
      loading: 'Loading reminder',
      cadence: 'The portal asks every {{days}} days.',
      next: 'Next survey',
      last: 'You answered last',
      never: 'Never',
      now: 'Now',
      off: 'You turned the reminder off. Answers are welcome at any time.',
      snoozed: 'Snoozed until',
      snoozeDay: 'Ask tomorrow',
      snoozeWeek: 'Ask in a week',
      unsnooze: 'Ask now',
      optOut: 'Stop asking',
      optIn: 'Ask me again',
      dueBanner: 'Your pulse survey is due: two questions, five seconds.',
      answer: 'Answer now',
    },
    home: {
      quiet: 'Nothing to answer now.',
      off: 'The pulse survey does not ask you any more.',
      settings: 'Reminder settings',
    },
    load: {
      title: 'Task load',
      failed: 'The form could not be read',
      loading: 'Loading form',
      task: 'Which task',
      taskHelp:
        'A few words that tell it from others, such as “Upgrade to Node 24”.',
      taskMissing: 'Name the task',
      untouched_one: '{{count}} scale is still to be marked',
      untouched_other: '{{count}} scales are still to be marked',
      notMarked: 'Not marked',
      submit: 'Send task load',
      sendFailed: 'The task load was not sent',
      doneTitle: 'Task load sent',
      done: 'This task comes to {{index}} of 100; higher is heavier.',
      others:
        'Team mean of the last 30 days: {{index}} of 100, from {{samples}}.',
      othersHidden:
        'The mean of others is not shown yet: it takes {{minimum}} people.',
      othersNone: 'Nobody else has sent a task load in the last 30 days.',
      again: 'Assess another task',
    },
    mine: {
      title: 'What is stored of you',
      description:
        'Kept under a keyed hash of your id, never under your name. In the portal nobody but you sees it one by one.',
      loading: 'Loading your data',
      failed: 'Your data could not be read',
      surveys: 'Pulse surveys',
      friction: 'Friction logs',
      loads: 'Task loads',
      activity: 'Activity events',
      nothing: 'Nothing is stored of you.',
      download: 'Download as JSON',
      erase: 'Erase my data',
      eraseTitle: 'Erase your data?',
      eraseText:
        'Your pulse surveys, friction logs, task loads and activity are deleted at once, and leave the numbers that are shown with the next week. This cannot be undone.',
    },
  },
});

/** Writes one of the plugin's texts. */
export type Translate = TranslationFunction<(typeof spaceTranslationRef)['T']>;
