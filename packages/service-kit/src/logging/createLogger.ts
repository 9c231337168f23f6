import { type DestinationStream, type Logger, pino } from 'pino';
import type { CommonConfig } from '../config/CommonConfig.ts';

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

/** Lines are written when so many bytes of them wait, the most that pino takes, and at the latest after so long. */
const BUFFER_BYTES = 16 * 1024 - 1;
const BUFFER_MS = 250;
/** A reader that stopped reading costs lines, not the service's memory. */
const WAITING_BYTES = 16 * 1024 * 1024;

/**
 * The log of a service on its standard output: one JSON object a line for collectors,
 * or one readable line in development. Secrets are replaced by name wherever they may
 * be logged. Nothing waits for JSON lines to be written: an end of the process by itself,
 * even by an error, writes them all; a kill loses those of the last quarter of a second.
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

/** The time member of a line, worked out once a millisecond. */
function isoTime(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastTime = `,"time":"${new Date(now).toISOString()}"`;
  }
  return lastTime;
}

function openOutput(isText: boolean): DestinationStream {
  return pino.destination(
    isText
      ? { dest: 1, sync: true }
      : {
          dest: 1,
          sync: false,
          minLength: BUFFER_BYTES,
          periodicFlush: BUFFER_MS,
          maxLength: WAITING_BYTES,
        },
  );
}

/** Makes pino's JSON readable: level, message, then what else there is. */
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
