/** Every text that a component brings by itself; all other texts are props. */
export const messages = {
  about: (what: string) => `About ${what}`,
  anyOption: 'Any',
  cancel: 'Cancel',
  clearFilters: 'Clear',
  close: 'Close',
  copied: 'Copied',
  copy: 'Copy',
  copyFailed: "Couldn't copy",
  copyLog: 'Copy log',
  copyRequestId: 'Copy request id',
  followLog: 'Follow new lines',
  logEmpty: 'No lines yet.',
  nextPage: 'Next',
  pagePosition: (page: number, pages: number) => `Page ${page} of ${pages}`,
  period: {
    label: 'Period',
    last30Days: 'Last 30 days',
    last90Days: 'Last 90 days',
    last12Months: 'Last 12 months',
    custom: 'Custom dates',
    dates: 'Start and end date',
  },
  previousPage: 'Previous',
  requestId: 'Request',
  retry: 'Retry',
  stepState: {
    pending: 'waiting',
    running: 'running',
    done: 'done',
    warning: 'done with a warning',
    failed: 'failed',
  },
  tabs: 'Sections',
  breadcrumbs: 'Breadcrumbs',
  count: (shown: number, total: number, noun: readonly [string, string]) => {
    const word = total === 1 ? noun[0] : noun[1];
    return shown === total
      ? `${total} ${word}`
      : `${shown} of ${total} ${word}`;
  },
} as const;
