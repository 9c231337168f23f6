import type { startTestService } from '@slipway/service-kit/testing';

type Logger = NonNullable<
  NonNullable<Parameters<typeof startTestService>[1]>['logger']
>;

/** Creates a logger that records the fields of info messages. */
export function fakeLogger(): {
  logger: Logger;
  lines: Record<string, unknown>[];
} {
  const lines: Record<string, unknown>[] = [];
  const nothing = () => {};
  const logger = {
    level: 'info',
    child: () => logger,
    info: (line: Record<string, unknown>) => void lines.push(line),
    trace: nothing,
    debug: nothing,
    warn: nothing,
    error: nothing,
    fatal: nothing,
    silent: nothing,
    flush: nothing,
  };
  return { logger: logger as unknown as Logger, lines };
}
