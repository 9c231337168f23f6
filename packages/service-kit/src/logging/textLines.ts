import type { DestinationStream } from 'pino';

/** Makes pino's JSON readable: level, message, then what else there is. */
export function textLines(target: DestinationStream): DestinationStream {
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
