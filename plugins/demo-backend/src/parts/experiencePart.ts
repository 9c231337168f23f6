import type { Person, Team } from '../organisation/organisation';
import { performanceAt } from '../organisation/teams';
import { type Dice, diceOf } from '../story/random';
import type { Story } from '../story/Story';
import { DAY_MS, HOUR_MS, iso, MINUTE_MS, partOf } from '../story/time';
import { type DemoPart, inBatches, type PartContext } from './DemoPart';

const SOURCE = 'demo';
const BATCH = 1_000;
/** Days between two pulse surveys. */
const CYCLE_DAYS = 14;
/** Share of people who answer a survey. */
const ANSWER_RATE = 0.8;

/** The URL of the SPACE metrics, and the API key for submitting others' data. */
export interface ExperienceTarget {
  readonly url: string;
  /** Undefined if not configured. */
  readonly apiKey: string | undefined;
}

/** Survey answers, friction, cognitive load and activity in the SPACE metrics. */
export function experiencePart({ url, apiKey }: ExperienceTarget): DemoPart {
  const post = (
    { platform }: Pick<PartContext, 'platform'>,
    path: string,
    body: object,
  ) =>
    platform.direct(url, {
      method: 'POST',
      path: `/api/v1${path}`,
      body,
      headers: { 'x-api-key': apiKey ?? '' },
    });

  return {
    id: 'space-metrics',
    title: 'Experience',
    writes:
      apiKey === undefined
        ? 'nothing: demo.spaceMetrics.apiKey is not configured'
        : 'answers to surveys, friction logs and activity of these people',

    async load(context) {
      if (apiKey === undefined) {
        return;
      }
      const answers = answersOf(context.story);
      const events = activityOf(context.story);
      await inBatches(answers.surveys, BATCH, {
        send: surveys => post(context, '/imports', { surveys }),
      });
      await post(context, '/imports', {
        friction_logs: answers.friction,
        cognitive_loads: answers.loads,
      });
      await inBatches(events, BATCH, {
        send: batch =>
          post(context, '/activity/events', { source: SOURCE, events: batch }),
        onProgress: context.onProgress,
      });
    },

    async remove(context) {
      if (apiKey === undefined) {
        return;
      }
      const { people } = context.story.organisation;
      await inBatches(people, 10, {
        send: batch =>
          post(context, '/people/erasures', {
            user_ids: batch.map(({ ref }) => ref),
          }),
        onProgress: context.onProgress,
      });
    },
  };
}

/** Returns the name of a team in the SPACE metrics. */
function teamName({ ref }: Team): string {
  return ref.replace(/^group:/, '');
}

const WINS = ['Small releases', 'Pairing', 'The new test data', ''];
const BLOCKERS = ['Slow builds', 'Waiting for review', 'Flaky tests', ''];
const FRICTION = [
  ['build', 'The build takes half an hour'],
  ['testing', 'Tests fail that have nothing to do with the change'],
  ['deployment', 'Releases wait for the one who knows how'],
  ['environment', 'The test environment was down'],
  ['documentation', 'Nobody knows how the old service is configured'],
  ['process', 'Approval took two days'],
] as const;

/** Returns the survey answers of all people over half a year. */
function answersOf({ organisation, time, seed }: Story): {
  surveys: object[];
  friction: object[];
  loads: object[];
} {
  const surveys: object[] = [];
  const friction: object[] = [];
  const loads: object[] = [];
  for (const team of organisation.teams) {
    for (const person of team.people) {
      const dice = diceOf(seed, 'answers', person.name);
      const said = (day: number) => ({
        user_id: person.ref,
        team: teamName(team),
        timestamp: iso(day + (9 + dice.roll() * 7) * HOUR_MS),
      });
      const offset = Math.floor(CYCLE_DAYS * dice.roll());
      for (
        let day = time.start + offset * DAY_MS;
        day < time.end;
        day += CYCLE_DAYS * DAY_MS
      ) {
        const performance = performanceAt(team.plan, partOf(time, day));
        if (dice.roll() < ANSWER_RATE) {
          surveys.push({
            ...said(day),
            responses: responsesOf(performance.satisfaction, dice),
          });
        }
        if (dice.roll() < performance.load / 300) {
          const [category, description] = dice.pick(FRICTION);
          friction.push({
            ...said(day),
            category,
            description,
            severity: dice.pick(
              performance.load > 60 ? ['high', 'critical'] : ['low', 'medium'],
            ),
            time_lost_minutes: Math.round(dice.around(performance.load)),
          });
        }
        if (dice.roll() < 0.3) {
          loads.push({
            ...said(day),
            task: 'Work of the last two weeks',
            scores: scoresOf(performance.load, dice),
          });
        }
      }
    }
  }
  return { surveys, friction, loads };
}

function responsesOf(satisfaction: number, dice: Dice) {
  const near = (mean: number, [least, most]: [number, number]) =>
    Math.min(most, Math.max(least, Math.round(mean + (dice.roll() - 0.5) * 2)));
  return {
    overall_satisfaction: near(satisfaction, [1, 5]),
    productivity_this_week: near(satisfaction - 0.1, [1, 5]),
    recommend: near((satisfaction - 1) * 2.5, [0, 10]),
    blockers: dice.pick(BLOCKERS),
    wins: dice.pick(WINS),
  };
}

function scoresOf(load: number, dice: Dice) {
  const near = (mean: number) =>
    Math.min(100, Math.max(0, Math.round(mean + (dice.roll() - 0.5) * 20)));
  return {
    mental_demand: near(load + 12),
    physical_demand: near(load / 5),
    temporal_demand: near(load + 8),
    performance: near(load - 10),
    effort: near(load + 5),
    frustration: near(load - 2),
  };
}

/** Returns people's activity, in the format reported by their tools. */
function activityOf({ histories, seed }: Story): object[] {
  return histories.flatMap(({ service, commits, builds }) => {
    const dice = diceOf(seed, 'activity', service.name);
    const team = teamName(service.team);
    const told = (person: Person, at: number) => ({
      user_id: person.ref,
      team,
      timestamp: iso(at),
    });
    return [
      ...commits.flatMap(commit => {
        const reviewer = dice.pick(service.team.people);
        const isReviewed = reviewer !== commit.author && dice.roll() < 0.9;
        return [
          {
            id: commit.sha,
            kind: 'commit',
            ...told(commit.author, commit.committedAt),
          },
          ...(isReviewed
            ? [
                {
                  id: `review-${commit.sha}`,
                  kind: 'review',
                  ...told(reviewer, commit.landedAt - 5 * MINUTE_MS),
                },
                {
                  id: `merge-${commit.sha}`,
                  kind: 'pull_request_merged',
                  ...told(commit.author, commit.landedAt),
                },
                ...(dice.roll() < 0.1
                  ? [
                      {
                        id: `docs-${commit.sha}`,
                        kind: 'docs_update',
                        ...told(commit.author, commit.landedAt),
                      },
                    ]
                  : []),
              ]
            : []),
        ];
      }),
      ...builds.map(build => ({
        id: `${service.job}#${build.number}`,
        kind: 'build',
        ...told(build.by, build.finishedAt),
        result: build.failure ? 'FAILURE' : 'SUCCESS',
      })),
    ];
  });
}
