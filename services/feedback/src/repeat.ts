import type { ServiceKit } from '@slipway/service-kit';

/** Does something every so often while the service runs, one at a time. */
export function repeat(
  kit: Pick<ServiceKit, 'onStart' | 'onStop' | 'logger'>,
  options: { name: string; everyMs: number; work: () => Promise<unknown> },
): void {
  const { name, everyMs, work } = options;
  let running: Promise<void> | undefined;
  const round = () => {
    running ??= work()
      .then(
        () => undefined,
        (error: unknown) => {
          kit.logger.warn({ err: error }, `${name} failed, goes on later`);
        },
      )
      .finally(() => {
        running = undefined;
      });
  };
  kit.onStart(() => {
    round();
    const timer = setInterval(round, everyMs);
    kit.onStop(async () => {
      clearInterval(timer);
      await running;
    });
  });
}
