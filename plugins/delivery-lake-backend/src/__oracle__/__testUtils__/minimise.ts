import { RawEvent } from '../RawEvent';
import { History } from './histories';

async function firstThat<T>(
  candidates: T[],
  test: (candidate: T) => Promise<boolean>,
): Promise<T | undefined> {
  for (const candidate of candidates) {
    if (await test(candidate)) {
      return candidate;
    }
  }
  return undefined;
}

function recordOf(event: RawEvent): string {
  return event.kind === 'change'
    ? `${event.repository} ${event.sha}`
    : `${event.source} ${event.id}`;
}

function recordsOf({ batches }: History): string[] {
  return [...new Set(batches.flat().map(recordOf))];
}

/**
 * Returns variants of the history without the events of some records, `count` records
 * at a time.
 */
function withoutRecords(history: History, count: number): History[] {
  const records = recordsOf(history);
  const shorter: History[] = [];
  for (let at = 0; at < records.length; at += count) {
    const left = new Set(records.slice(at, at + count));
    const kept = history.batches
      .flat()
      .filter(event => !left.has(recordOf(event)));
    shorter.push({ ...history, batches: kept.map(event => [event]) });
  }
  return shorter;
}

/**
 * Removes records from a history as long as the rest still fails. fast-check only shrinks the input
 * of the generator; this shrinks the resulting history, because sixty events are too many to read.
 *
 * @param fails - returns whether a history still shows the failure.
 */
export async function minimise(
  failing: History,
  fails: (history: History) => Promise<boolean>,
): Promise<History> {
  const single = failing.questions.map(question => ({
    ...failing,
    questions: [question],
  }));
  let smallest = (await firstThat(single, fails)) ?? failing;
  let size = Math.ceil(recordsOf(smallest).length / 2);
  while (size >= 1) {
    const smaller = await firstThat(withoutRecords(smallest, size), fails);
    smallest = smaller ?? smallest;
    if (!smaller) {
      size = size === 1 ? 0 : Math.ceil(size / 2);
    }
  }
  return smallest;
}
