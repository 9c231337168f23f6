import type { CommonConfig, ServiceKit } from '@slipway/service-kit';
import type { PulseReminders } from './PulseReminders.ts';

const MINUTE_MS = 60_000;

/** Reminds from start to stop, at once and then every so many minutes. */
export function scheduleReminders(
  kit: Pick<ServiceKit<CommonConfig>, 'logger' | 'onStart' | 'onStop'>,
  options: { reminders: PulseReminders; everyMinutes: number },
): void {
  const { reminders, everyMinutes } = options;
  const stopping = new AbortController();
  let round: Promise<void> | undefined;
  const remind = () => {
    // A round that takes longer than the pause is not overtaken by the next.
    round ??= reminders
      .remind(stopping.signal)
      .catch((error: unknown) => {
        kit.logger.warn({ err: error }, 'Not everybody could be reminded');
      })
      .finally(() => {
        round = undefined;
      });
  };
  kit.onStart(() => {
    remind();
    const timer = setInterval(remind, everyMinutes * MINUTE_MS);
    kit.onStop(async () => {
      clearInterval(timer);
      stopping.abort();
      await round;
    });
  });
}
