/** Signs in as a service on a development platform; see backend.auth.externalAccess. */
const DEVELOPMENT_TOKEN = 'dev-service-token';

/** Made up: nothing looks it up. */
const COMMIT = '5f2d9c1e7a3b48d6925c0e1f7b6a4d3c2e1f0a9b';
const MINUTE_MS = 60_000;

/**
 * A command that reports one deployment, ready to paste into a shell.
 *
 * @param ingestUrl - address of the lake's interface.
 * @param isDevelopment - whether the token of development is good.
 * @param now - milliseconds since the Unix epoch.
 */
export function curlLine(options: {
  ingestUrl: string;
  isDevelopment: boolean;
  now: number;
}): string {
  const { ingestUrl, isDevelopment, now } = options;
  const at = (minutesAgo: number) =>
    new Date(now - minutesAgo * MINUTE_MS).toISOString();
  const deployment = {
    source: 'curl',
    id: `checkout-${now}`,
    service: 'checkout',
    environment: 'prod',
    status: 'SUCCESS',
    version: '1.0.0',
    startedAt: at(4),
    finishedAt: at(1),
    repository: 'example/checkout',
    changes: [COMMIT],
    commit: {
      sha: COMMIT,
      message: 'Say what is in the basket',
      author: 'ada',
      committedAt: at(90),
    },
  };
  const token = isDevelopment ? DEVELOPMENT_TOKEN : '$SLIPWAY_TOKEN';
  return [
    `curl -X POST ${ingestUrl}/deployments`,
    `-H "Authorization: Bearer ${token}"`,
    `-H "Content-Type: application/json"`,
    `-d '${JSON.stringify(deployment)}'`,
  ].join(' ');
}
