/**
 * The ends of a period of whole days where the reader is, as the service takes them:
 * its own days are those of UTC, which end before or after the reader's.
 */
export function readersDays(period: { startDate: string; endDate: string }): {
  start_date: string;
  end_date: string;
} {
  return {
    start_date: momentOf(`${period.startDate}T00:00:00.000`),
    end_date: momentOf(`${period.endDate}T23:59:59.999`),
  };
}

/** Without a zone it is the browser's. */
function momentOf(local: string): string {
  return new Date(local).toISOString();
}
