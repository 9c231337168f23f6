import { type DestinationStream, type Logger, pino } from 'pino';
import type { CommonConfig } from '../config/CommonConfig.ts';
import { bufferLines } from './bufferLines.ts';

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
 * Creates the logger of a service, which writes to standard output: one JSON object per line for
 * log collectors, or one readable line in development. Secrets are redacted by name wherever they
 * might be logged. JSON lines are written asynchronously: all of them are flushed when the process
 * exits, even after an error; if it is killed, those of the last quarter of a second are lost.
 *
 * @param options.destination - replaces standard output, e.g. in a test.
 */
export function createLogger(options: {
  name: string;
  config: CommonConfig['logging'];
  nodeEnv?: string;
  destination?: DestinationStream;
}): Logger {
  const { name, config, nodeEnv, destination } = options;
  const format = config.format ?? (nodeEnv === 'production' ? 'json' : 'text');
  const isText = format === 'text';
  const target = destination ?? openOutput(isText);
  return pino(
    {
      name,
      level: config.level,
      base: { service: name },
      redact: { paths: [...new Set(SECRETS)], censor: '[redacted]' },
      timestamp: isoTime,
      formatters: { level: label => ({ level: label }) },
    },
    isText ? textLines(target) : target,
  );
}

let lastMs = 0;
let lastTime = '';

/** Returns the time member of a line, computed at most once per millisecond. */
function isoTime(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastTime = `,"time":"${new Date(now).toISOString()}"`;
  }
  return lastTime;
}

function openOutput(isText: boolean): DestinationStream {
  return isText ? pino.destination({ dest: 1, sync: true }) : bufferLines(1);
}

/** Converts pino's JSON to readable text: level, message, then the other fields. */
function textLines(target: DestinationStream): DestinationStream {
  return {
    write(line) {
      const { level, time, msg, err, service, name, ...rest } =
        JSON.parse(line);
      const details = Object.entries(rest)
        .map(([key, value]) => `${key}=${printValue(value)}`)
        .join(' ');
      const text = [time, level, msg, details].filter(Boolean).join(' ');
      target.write(`${text}\n${err?.stack ? `${err.stack}\n` : ''}`);
    },
  };
}

function printValue(value: unknown): string {
  return typeof value === 'string' && /^[^\s"]+$/.test(value)
    ? value
    : JSON.stringify(value);
}
