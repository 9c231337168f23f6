import type { HistoryEvent } from '../../api/types';

/** One field that is another than before. */
export interface FieldChange {
  field: string;
  before: string;
  after: string;
}

/** What an event changed, field by field; nothing for what was created. */
export function describeChange({ preData, data }: HistoryEvent): FieldChange[] {
  if (!preData || !data) {
    return [];
  }
  const fields = new Set([...Object.keys(preData), ...Object.keys(data)]);
  return [...fields]
    .map(field => ({
      field,
      before: textOf(preData[field]),
      after: textOf(data[field]),
    }))
    .filter(({ before, after }) => before !== after);
}

/** Words a value as briefly as it allows: a strategy is its name and its parameters. */
function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') {
    return '–';
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? '–' : value.map(elementText).join(', ');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function elementText(element: unknown): string {
  const { name, parameters } = (element ?? {}) as {
    name?: unknown;
    parameters?: Record<string, unknown>;
  };
  if (typeof name !== 'string') {
    return JSON.stringify(element);
  }
  const share = parameters?.percentage ?? parameters?.rollout;
  return share === undefined ? name : `${name} ${share}%`;
}
