import { GroupWriter } from '@slipway/service-kit';
import type { UnknownFlagReport } from '../storage/UnknownFlagStore.ts';
import {
  type Span,
  SPAN_MS,
  type Tally,
  type UsageRecord,
  type VariantCounts,
} from '../storage/UsageStore.ts';

/** A report of more flags costs more than to look first which of them there are. */
const MOST_UNSEEN = 500;

/** What was counted of one flag. */
export interface FlagCount extends Tally {
  readonly flag: string;
  readonly variants?: VariantCounts;
}

/** A report of an application's instance on what it asked for since its last one. */
export interface UsageReport {
  readonly appName: string;
  readonly environment: string;
  /** When the report ends; milliseconds since the Unix epoch. */
  readonly at: number;
  readonly counts: readonly FlagCount[];
}

interface UsageIntakeOptions {
  write: (records: readonly UsageRecord[]) => Promise<void>;
  /** Tells whether a flag is known here; others are left out of reports that name very many. */
  isFlag: (name: string) => boolean;
  /** Remembers a flag that is not known here. */
  noteUnknown: (report: UnknownFlagReport) => void;
  /** Reports that ended longer ago are not kept. */
  retentionMs: number;
  now: () => number;
}

/**
 * Takes reports in. Those that come while others are written are added up and written
 * together, so that many clients are few rows and one commit. Each caller is answered
 * when its own report is on disk.
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

  /** Resolves once the report is on disk. */
  add(sent: UsageReport): Promise<void> {
    this.#noteUnknown(sent);
    const report =
      sent.counts.length > MOST_UNSEEN
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

  /** Adds reports up, in an order that is the same in all replicas, so that none waits for another in a ring. */
  #addUp(reports: readonly UsageReport[]): UsageRecord[] {
    const now = this.#options.now();
    const records = new Map<string, UsageRecord>();
    for (const { appName, environment, at, counts } of reports) {
      // A client whose clock is ahead reports no later than now.
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
