import { writeFileSync, renameSync } from 'node:fs';

/**
 * The portal's sign of life: a file whose content changes at each beat. The
 * guards of the editors compare contents, not times, so that a suspended
 * machine or a changed clock ends nothing.
 */
export class Lease {
  private readonly timer: NodeJS.Timeout;
  private beats = 0;

  /** Beats at once and then every `intervalMs`, until {@link stop}. */
  constructor(
    private readonly file: string,
    intervalMs: number,
  ) {
    this.beat();
    this.timer = setInterval(() => this.beat(), intervalMs);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private beat() {
    this.beats += 1;
    const draft = `${this.file}.${process.pid}`;
    try {
      writeFileSync(draft, `${process.pid}-${Date.now()}-${this.beats}\n`, {
        mode: 0o600,
      });
      renameSync(draft, this.file);
    } catch {
      // A full disk must not end the portal; the guards allow several misses.
    }
  }
}
