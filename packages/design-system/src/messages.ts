import { formatNumber } from './components/number/formatNumber';

/** The built-in texts of components; all other texts are props. */
export const messages = {
  about: (what: string) => `About ${what}`,
  anyOption: 'Any',
  cancel: 'Cancel',
  clearFilters: 'Clear',
  clearSelection: 'Clear selection',
  close: 'Close',
  columns: 'Columns',
  copied: 'Copied',
  copy: 'Copy',
  copyFailed: "Couldn't copy",
  copyLog: 'Copy log',
  copyRequestId: 'Copy request ID',
  exportCsv: 'Export CSV',
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
  selected: (count: number) => `${count} selected`,
  selectedRows: 'Selected rows',
  slowAction:
    'No response yet. You can close this dialog: the action continues, but an error would not be shown. Check on the page whether it was done.',
  slowSecret:
    'No response yet. You can close this dialog, but what it creates would then not be shown: delete it and create another.',
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
      ? `${formatNumber(total)} ${word}`
      : `${formatNumber(shown)} of ${formatNumber(total)} ${word}`;
  },
} as const;
