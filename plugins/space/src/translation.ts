import {
  type TranslationFunction,
  createTranslationRef,
} from '@backstage/frontend-plugin-api';
import { ownTexts } from './texts/own';

/** All texts of the plugin's pages, cards and dialogs. */
export const spaceTranslationRef = createTranslationRef({
  id: 'space',
  messages: {
    ...ownTexts,
    page: {
      title: 'Experience',
      description:
        'What it is like to build software here, in five dimensions: survey answers next to data from your tools.',
    },
    palette: {
      action: 'Action',
      friction: 'Log friction',
      frictionKeywords: 'blocker slow waiting lost time experience',
      pulse: 'Answer the pulse survey',
      pulseKeywords: 'satisfaction productivity questions week',
    },
    service: {
      name: 'The experience service',
      data: 'experience data',
      access:
        'This account may not view or send experience data. Access is set in spaceMetrics.auth.',
    },
    filter: {
      team: 'Team',
      everybody: 'Everyone',
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
        'Answers to pulse surveys: how satisfied people are, how productive their week felt, and whether they would recommend working here.',
      performance:
        'What reaches users, and how well: deployments and lead time from the delivery lake, and build results. Measured for teams and systems, never for individuals.',
      activity:
        'What happens in repositories, without bots and merge commits. It shows load and rhythm, not how well anyone works. Read it together with satisfaction and efficiency, and set no targets on it.',
      communication:
        'How people share knowledge: review comments, documentation changes and the number of chat messages. Messages are counted, never read.',
      efficiency:
        'How freely work flows: time to a first commit for new joiners, time to production for changes, and how demanding tasks feel.',
    },
    caution: {
      activity:
        "A team's load and rhythm, not the value of its work. Set no targets on it.",
    },
    field: {
      avg_rating: 'Rating',
      avg_productivity: 'Productivity',
      enps_score: 'eNPS',
      response_count: 'Answers',
      deployment_frequency: 'Deployments',
      lead_time_hours: 'Lead time',
      build_success_rate: 'Build success rate',
      commits_per_week: 'Commits',
      prs_merged: 'Merged pull requests',
      active_days: 'Active days',
      pr_comments: 'Review comments',
      docs_updates: 'Docs updates',
      chat_messages: 'Chat messages',
      time_to_first_commit_hours: 'Time to first commit',
      time_to_production_hours: 'Time to production',
      cognitive_load_index: 'Cognitive load',
    },
    definition: {
      avg_rating: 'Mean rating of overall satisfaction, from 1 to 5.',
      avg_productivity:
        'Mean answer to how productive the week felt, from 1 to 5.',
      enps_score:
        'Share of people who would recommend working here minus the share who would not, from −100 to 100. Based on the 0 to 10 question where it was answered (9 and 10 against 0 to 6), otherwise on overall satisfaction (5 against 1 to 3). With few answers, one person makes a large difference.',
      response_count:
        "Pulse surveys answered in the period. Only a person's last answer to each survey counts.",
      deployment_frequency: 'Deployments to production per week.',
      lead_time_hours:
        'Time from commit to production. Median of the changes that reached production in the period.',
      build_success_rate:
        'Share of finished builds that succeeded. Aborted builds are not included.',
      commits_per_week:
        'Commits per week, without bots and merge commits. Not a measure of individuals.',
      prs_merged: 'Pull and merge requests merged in the period.',
      active_days:
        'Days with at least one commit, review or comment. Mean of the people who have any. More is not better: everyone needs days off.',
      pr_comments: 'Comments on pull and merge requests, without bots.',
      docs_updates: 'Commits that change documentation.',
      chat_messages:
        'Number of messages in the channels that are counted. Their content is never read.',
      time_to_first_commit_hours:
        "Time from a new joiner's first day to their first commit. Mean of those whose first commit was in the period.",
      time_to_production_hours:
        'Time from the first commit of a change until it runs in production, as measured by the delivery lake.',
      cognitive_load_index:
        'Mean of the six raw NASA-TLX scores of a task, from 0 to 100. Higher is more demanding.',
    },
    value: {
      none: 'No data',
      hidden: 'Hidden',
      rating: '{{value}} of 5',
      perWeek: '{{value}} per week',
      days_one: '{{value}} day',
      days_other: '{{value}} days',
      index: '{{value}} of 100',
    },
    samples: {
      responses_one: '{{count, number}} answer',
      responses_other: '{{count, number}} answers',
      people_one: '{{count, number}} person',
      people_other: '{{count, number}} people',
      deployments_one: '{{count, number}} deployment',
      deployments_other: '{{count, number}} deployments',
      changes_one: '{{count, number}} change',
      changes_other: '{{count, number}} changes',
      builds_one: '{{count, number}} build',
      builds_other: '{{count, number}} builds',
      joiners_one: '{{count, number}} new joiner',
      joiners_other: '{{count, number}} new joiners',
      assessments_one: '{{count, number}} assessment',
      assessments_other: '{{count, number}} assessments',
    },
    hidden: {
      short_one: 'no results yet',
      short_other: 'no results yet, or fewer than {{count, number}} people',
      panel_one:
        'Numbers appear once a week; pulse survey results appear when the survey closes.',
      panel_other:
        'Numbers appear once a week when they are based on at least {{count, number}} people; pulse survey results appear when the survey closes.',
      stale:
        'The delivery lake is not responding. Deployments and times to production are out of date or missing.',
    },
    trend: {
      improving: 'Improving',
      stable: 'Stable',
      declining: 'Declining',
      more: 'More than before',
      same: 'About the same',
      less: 'Less than before',
    },
    change: {
      same: 'About the same as in the previous {{days}} days',
      better: '{{change}} (better)',
      worse: '{{change}} (worse)',
      points: {
        up: '{{amount}} points higher than in the previous {{days}} days',
        down: '{{amount}} points lower than in the previous {{days}} days',
      },
      percent: {
        up: '{{amount}}% more than in the previous {{days}} days',
        down: '{{amount}}% less than in the previous {{days}} days',
      },
      time: {
        up: '{{amount}}% longer than in the previous {{days}} days',
        down: '{{amount}}% shorter than in the previous {{days}} days',
      },
    },
    overview: {
      failed: "Couldn't load {{dimension}}",
      loading: 'Loading {{dimension}}',
      emptyTitle: 'No data yet',
      emptyDescription:
        'Five dimensions appear here, each with its metrics, sources and trends: from pulse surveys, friction logs and task load, and from deployments, builds and repositories. Answering the survey is the quickest way to start.',
      emptyAction: 'Answer the pulse survey',
      emptyAdvice: 'Choose a longer period or another team to see more.',
    },
    source: {
      satisfaction: 'Data comes from pulse surveys. To send one over HTTP:',
      performance:
        'Data comes from deployments in the delivery lake and from builds. To report a build:',
      activity:
        'Data comes from webhooks of GitHub, GitLab, Gitea or Forgejo. To report activity over HTTP:',
      communication:
        'Data comes from reviews and documentation in repositories, and from a chat counter:',
      efficiency:
        'Data comes from task load, new joiners and the delivery lake. To send a task load over HTTP:',
      copy: 'Copy command for {{dimension}}',
    },
    chart: {
      by: 'Interval',
      daily: 'Day',
      weekly: 'Week',
      monthly: 'Month',
      byDaily: '{{field}} by day',
      byWeekly: '{{field}} by week',
      byMonthly: '{{field}} by month',
      field: 'Metric of {{dimension}}',
      nothing: 'No chart: no values can be shown for this period.',
      asTable: '{{dimension}} as table',
      time: 'Time',
      value: 'Value',
      notes: 'Notes',
      hidden_one: 'Hidden: no results yet',
      hidden_other:
        'Hidden: no results, or fewer than {{count, number}} people',
    },
    friction: {
      log: 'Log friction',
      title: 'Top friction',
      failed: "Couldn't load friction",
      loading: 'Loading friction',
      label: 'Friction by time lost',
      category: 'Category',
      time: 'Time lost',
      share: 'Share of time lost',
      reporters: 'People',
      entries: 'Entries',
      all: 'All friction',
      emptyTitle: 'No friction logged',
      emptyDescription:
        'What costs time appears here by category, ranked by time lost and by the number of people who reported it. Log the next thing that gets in your way, here or with the command “Log friction” (Ctrl K) on any page.',
      logFirst: 'Log friction',
      withheldTitle: 'No friction to show yet',
      withheld_one: 'A category appears once a week.',
      withheld_other:
        'A category appears once a week when at least {{count, number}} people have reported it.',
      nounOne: 'category',
      nounMany: 'categories',
      words: 'Reported as',
      wordsNote: 'In random order, without names or dates.',
      wordsShown_one: 'Texts as people wrote them.',
      wordsShown_other:
        'Only texts that {{count, number}} or more people sent in the same words.',
      unknownTitle: 'Nothing to show for {{category}}',
      unknownDescription:
        'Nobody reported it in this period, or too few people for it to be shown.',
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
      category: 'Category',
      description: 'What got in the way',
      descriptionHelp:
        'Shown to colleagues only when enough people report the same. Leave out names.',
      severity: 'Severity',
      minutes: 'Minutes lost',
      quick: 'Minutes lost, quick choice',
      submit: 'Log friction',
      descriptionMissing: 'Describe in a few words what got in the way',
      minutesMissing: 'Enter the minutes lost, or 0',
      failed: "Couldn't log friction",
      doneTitle: 'Friction logged',
      done: "{{category}}, {{duration}}. It counts towards your team's friction.",
      others: 'Logged by others in the last 30 days',
      othersNone_one: 'Nothing to show yet.',
      othersNone_other:
        'Nothing to show yet: at least {{count, number}} people must report the same category.',
      othersLine_one: '{{duration}}, {{count, number}} person',
      othersLine_other: '{{duration}}, {{count, number}} people',
      another: 'Log another',
      close: 'Close',
    },
  },
});

/** Translates one of the plugin's texts. */
export type Translate = TranslationFunction<(typeof spaceTranslationRef)['T']>;
