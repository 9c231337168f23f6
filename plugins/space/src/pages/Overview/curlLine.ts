import type { DimensionName } from '../../api/SpaceApi';

/** URL and API key of the service on a development platform. */
const DEVELOPMENT = { url: 'http://localhost:8000', key: 'dev-space-key' };
const ELSEWHERE = { url: '$SPACE_METRICS_URL', key: '$SPACE_METRICS_KEY' };

/** Returns example data for a dimension. */
function exampleOf(
  name: DimensionName,
  now: number,
): { path: string; body: object } {
  switch (name) {
    case 'satisfaction':
      return {
        path: '/surveys/pulse/submit',
        body: {
          user_id: 'ada',
          responses: {
            overall_satisfaction: 4,
            productivity_this_week: 4,
            blockers: '',
            wins: 'Shipped the basket',
          },
        },
      };
    case 'performance':
      return {
        path: '/activity/events',
        body: {
          source: 'curl',
          events: [
            {
              id: `build-${now}`,
              kind: 'build',
              team: 'payments',
              result: 'SUCCESS',
            },
          ],
        },
      };
    case 'activity':
      return {
        path: '/activity/events',
        body: {
          source: 'curl',
          events: [{ id: `commit-${now}`, kind: 'commit', user_id: 'ada' }],
        },
      };
    case 'communication':
      return {
        path: '/activity/chat',
        body: {
          source: 'curl',
          counts: [
            { id: `chat-${now}`, team: 'payments', messages: 42, people: 6 },
          ],
        },
      };
    default:
      return {
        path: '/cognitive-load/submit',
        body: {
          user_id: 'ada',
          task: 'Upgrade to Node 24',
          scores: {
            mental_demand: 55,
            physical_demand: 10,
            temporal_demand: 40,
            performance: 20,
            effort: 50,
            frustration: 35,
          },
        },
      };
  }
}

/**
 * Returns a command that submits data for one dimension, ready to paste into a shell.
 *
 * @param options.now - milliseconds since the Unix epoch; used for new ids.
 */
export function curlLine(
  name: DimensionName,
  options: { isDevelopment: boolean; now: number },
): string {
  const { url, key } = options.isDevelopment ? DEVELOPMENT : ELSEWHERE;
  const { path, body } = exampleOf(name, options.now);
  return [
    `curl -X POST ${url}/api/v1${path}`,
    `-H "X-API-Key: ${key}"`,
    `-H "Content-Type: application/json"`,
    `-d '${JSON.stringify(body)}'`,
  ].join(' ');
}
