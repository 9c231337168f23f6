import { WEEK } from '../../periods/LocalDay.ts';

/** A table whose records are released, with the columns that are summed. */
export interface Source {
  readonly table: string;
  /** Number of days in a cycle. */
  readonly cycleDays: number;
  /** SQL: the subject that a record belongs to. */
  readonly subject: string;
  /** SQL: the category of friction. */
  readonly category: string;
  /** SQL: the person, null if the person does not count towards a group. */
  readonly person: string;
  /** SQL: the number of people to count for a record without a person. */
  readonly crowd: string;
  /** SQL of sums, by the measure under which each is stored. */
  readonly measures: Readonly<Record<string, string>>;
}

const ofKind = (...kinds: string[]) =>
  `SUM(CASE WHEN kind IN (${kinds
    .map(kind => `'${kind}'`)
    .join(', ')}) THEN amount ELSE 0 END)`;

/** SQL on the scale of `recommend`: 9 and 10 are promoters, 7 and 8 are passive. */
const STANCE = 'COALESCE(recommend, 2 * overall_satisfaction)';

/** Returns all tables about people, with the cycles in which they are released. */
export function sourcesOf(options: {
  /** Days from one pulse survey to the next. */
  pulseDays: number;
}): readonly Source[] {
  const common = {
    cycleDays: WEEK,
    category: `''`,
    person: 'person',
    crowd: '0',
  };
  return [
    {
      ...common,
      table: 'pulse_surveys',
      cycleDays: options.pulseDays,
      subject: `'survey'`,
      measures: {
        'survey.count': 'COUNT(*)',
        'survey.satisfaction': 'SUM(overall_satisfaction)',
        'survey.productivity': 'SUM(productivity_this_week)',
        'survey.promoters': `SUM(CASE WHEN ${STANCE} >= 9 THEN 1 ELSE 0 END)`,
        'survey.passives': `SUM(CASE WHEN ${STANCE} IN (7, 8) THEN 1 ELSE 0 END)`,
        'survey.detractors': `SUM(CASE WHEN ${STANCE} < 7 THEN 1 ELSE 0 END)`,
      },
    },
    {
      ...common,
      table: 'cognitive_loads',
      subject: `'load'`,
      measures: {
        'load.count': 'COUNT(*)',
        'load.index_thousandths': `SUM(CAST(ROUND((mental_demand + physical_demand
          + temporal_demand + performance + effort + frustration) * 1000 / 6) AS BIGINT))`,
      },
    },
    {
      ...common,
      table: 'friction_logs',
      subject: `'friction'`,
      category: 'category',
      measures: {
        'friction.entries': 'COUNT(*)',
        'friction.minutes': 'SUM(time_lost_minutes)',
      },
    },
    {
      ...common,
      table: 'activity_events',
      subject: `CASE WHEN kind IN ('commit', 'pull_request_merged') THEN 'activity'
        WHEN kind = 'chat_message' THEN 'chat' ELSE 'collaboration' END`,
      person: 'CASE WHEN people > 0 THEN person END',
      crowd: 'CASE WHEN person IS NULL THEN people ELSE 0 END',
      measures: {
        'activity.commits': ofKind('commit'),
        'activity.prs_merged': ofKind('pull_request_merged'),
        'activity.person_days':
          'COUNT(DISTINCT CAST(person AS BIGINT) * 1000000 + day)',
        'communication.pr_comments': ofKind('pull_request_comment', 'review'),
        'communication.docs_updates': ofKind('docs_update'),
        'communication.chat_messages': ofKind('chat_message'),
      },
    },
    {
      ...common,
      table: 'joiners',
      subject: `'joining'`,
      measures: {
        'joining.count': 'COUNT(*)',
        'joining.minutes': 'SUM(minutes)',
      },
    },
  ];
}
