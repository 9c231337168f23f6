import { GroupWriter } from '@slipway/service-kit';
import type { UnknownFlagReport } from '../storage/UnknownFlagStore.ts';
import {
  type Span,
  SPAN_MS,
  type Tally,
  type UsageRecord,
} from '../storage/UsageStore.ts';
import type { VariantCounts } from '../storage/usageVariants.ts';

/** Reports of more flags than this are filtered first: storing unknown flags would cost more. */
const MAX_UNSEEN = 500;

/** The counts of one flag. */
export interface FlagCount extends Tally {
  readonly flag: string;
  readonly variants?: VariantCounts;
}

/** A report of an application's instance: its evaluations since the previous report. */
export interface UsageReport {
  readonly appName: string;
  readonly environment: string;
  /** The end of the reported period; milliseconds since the Unix epoch. */
  readonly at: number;
  readonly counts: readonly FlagCount[];
}

interface UsageIntakeOptions {
  write: (records: readonly UsageRecord[]) => Promise<void>;
  /** Checks whether a flag exists; unknown ones are removed from very large reports. */
  isFlag: (name: string) => boolean;
  /** Records a flag that does not exist. */
  noteUnknown: (report: UnknownFlagReport) => void;
  /** Reports that ended longer ago are discarded. */
  retentionMs: number;
  now: () => number;
}

/**
 * Stores reports. Those that arrive during a write are summed and written together, so that
 * many clients need few rows and one commit. Each caller gets its response once its own report
 * is committed.
 */
export class UsageIntake {
  readonly #options: UsageIntakeOptions;
  readonly #writer: GroupWriter<UsageReport, void>;

  constructor(options: UsageIntakeOptions) {
    this.#options = options;
    this.#writer = new GroupWriter<UsageReport, void>({
      write: async reports => {
        await options.write(this.#addUp(reports));
        return [];
      },
    });
  }

  /** Resolves once the report is committed. */
  add(sent: UsageReport): Promise<void> {
    this.#noteUnknown(sent);
    const report =
      sent.counts.length > MAX_UNSEEN
        ? {
            ...sent,
            counts: sent.counts.filter(each => this.#options.isFlag(each.flag)),
          }
        : sent;
    return this.#writer.add(report);
  }

  #noteUnknown({ appName, environment, counts }: UsageReport): void {
    const { isFlag, noteUnknown, now } = this.#options;
    const seenAt = now();
    for (const { flag } of counts) {
      if (!isFlag(flag)) {
        noteUnknown({ name: flag, appName, environment, seenAt });
      }
    }
  }

  /** Sums reports, sorted the same way in every replica to avoid deadlocks. */
  #addUp(reports: readonly UsageReport[]): UsageRecord[] {
    const now = this.#options.now();
    const records = new Map<string, UsageRecord>();
    for (const { appName, environment, at, counts } of reports) {
      // The clock of a client may be ahead.
      const time = Math.min(at, now);
      for (const span of this.#spansOf(now - time)) {
        const startsAt = time - (time % SPAN_MS[span]);
        for (const { flag, yes, no, variants } of counts) {
          const key = [flag, environment, span, startsAt, appName].join('\n');
          const sum = records.get(key);
          records.set(key, {
            flag,
            environment,
            span,
            startsAt,
            appName,
            yes: (sum?.yes ?? 0) + yes,
            no: (sum?.no ?? 0) + no,
            ...(span === 'hour' && {
              variants: addVariants(sum?.variants, variants),
            }),
          });
        }
      }
    }
    return [...records]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, record]) => record);
  }

  #spansOf(age: number): readonly Span[] {
    if (age > this.#options.retentionMs) {
      return [];
    }
    return age <= SPAN_MS.hour ? ['minute', 'hour'] : ['hour'];
  }
}

function addVariants(
  one: VariantCounts | undefined,
  other: VariantCounts | undefined,
): VariantCounts | undefined {
  if (!one || !other) {
    return one ?? other;
  }
  const sums = new Map(Object.entries(one));
  for (const [name, count] of Object.entries(other)) {
    sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return Object.fromEntries(sums);
}
