import { type DestinationStream, type Logger, pino } from 'pino';
import type { CommonConfig } from '../config/CommonConfig.ts';
import { textLines } from './textLines.ts';

const SECRETS = [
  'authorization',
  'cookie',
  '["set-cookie"]',
  '["x-api-key"]',
  'token',
  'api_key',
  'apiKey',
  'password',
  'secret',
].flatMap(name => {
  const member = name.startsWith('[') ? name : `.${name}`;
  return [
    name,
    `*${member}`,
    `headers${member}`,
    `req.headers${member}`,
    `request.headers${member}`,
  ];
});

/**
 * The log of a service on its standard output: one JSON object a line for collectors,
 * or one readable line in development. Secrets are replaced by name wherever they may
 * be logged.
 *
 * @param options.destination - other than standard output, e.g. for a test.
 */
export function createLogger(options: {
  name: string;
  config: CommonConfig['logging'];
  nodeEnv?: string;
  destination?: DestinationStream;
}): Logger {
  const { name, config, nodeEnv, destination } = options;
  const format = config.format ?? (nodeEnv === 'production' ? 'json' : 'text');
  const target = destination ?? pino.destination({ dest: 1, sync: true });
  return pino(
    {
      name,
      level: config.level,
      base: { service: name },
      redact: { paths: [...new Set(SECRETS)], censor: '[redacted]' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
    },
    format === 'text' ? textLines(target) : target,
  );
}
