import type { Logger } from 'pino';

/** Creates a logger that records the fields of info messages and the texts of warnings. */
export function fakeLogger(): {
  logger: Logger;
  lines: Record<string, unknown>[];
  warnings: string[];
} {
  const lines: Record<string, unknown>[] = [];
  const warnings: string[] = [];
  const nothing = () => {};
  const logger = {
    level: 'info',
    child: () => logger,
    info: (line: Record<string, unknown>) => void lines.push(line),
    warn: (details: object | string, text?: string) =>
      void warnings.push(typeof details === 'string' ? details : (text ?? '')),
    trace: nothing,
    debug: nothing,
    error: nothing,
    fatal: nothing,
    silent: nothing,
    flush: nothing,
  };
  return { logger: logger as unknown as Logger, lines, warnings };
}
