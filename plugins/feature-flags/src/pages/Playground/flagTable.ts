import type {
  EvaluatedFlag,
  FlagTable,
  TableCell,
  TableColumn,
} from '../../api/playground';
import type { Translate } from '../../translation';

/** The filters by result. */
export const RESULTS = ['on', 'off', 'variant', 'different'] as const;

/** The filters of a table; an empty string means no filter. */
interface TableFilters {
  /** Part of the name or project, case-insensitive. */
  q: string;
  /** One of {@link RESULTS}: of any column, or differences between columns. */
  show: string;
}

/** Returns the flags that match the filters, in order. */
export function filterTable(
  flags: readonly EvaluatedFlag[],
  { q, show }: TableFilters,
): EvaluatedFlag[] {
  const words = q.trim().toLocaleLowerCase();
  return flags.filter(
    ({ name, project, results }) =>
      [name, project].some(text => text.toLocaleLowerCase().includes(words)) &&
      hasResult(results, show),
  );
}

function hasResult(results: readonly TableCell[], show: string): boolean {
  switch (show) {
    case 'on':
      return results.some(({ enabled }) => enabled);
    case 'off':
      return results.some(({ enabled }) => !enabled);
    case 'variant':
      return results.some(({ variant }) => variant !== null);
    case 'different':
      return results.some(
        ({ enabled, variant }) =>
          enabled !== results[0].enabled || variant !== results[0].variant,
      );
    default:
      return true;
  }
}

/**
 * Names the columns by their differences: the environment if there are several, and the values of
 * fields that have several.
 */
export function columnLabels(columns: FlagTable['columns']): string[] {
  const facts = columns.map(factsOf);
  const names = [...new Set(facts.flatMap(each => [...each.keys()]))];
  const varied = names.filter(
    name => new Set(facts.map(each => each.get(name))).size > 1,
  );
  return columns.map(({ environment }, index) =>
    varied.length === 0
      ? environment
      : varied.map(name => facts[index].get(name) || '–').join(' · '),
  );
}

/** Lists the environment and the fields of a column; a field and a property can have the same name. */
function factsOf({ environment, context }: TableColumn): Map<string, string> {
  const { properties = {}, ...fields } = context;
  return new Map([
    ['', environment],
    ...Object.entries(fields).map(
      ([name, value]) => [name, String(value)] as const,
    ),
    ...Object.entries(properties).map(
      ([name, value]) => [`properties.${name}`, value] as const,
    ),
  ]);
}

/** Formats a result as "On", "On · red", "Off" or "On (random)". */
export function resultText(t: Translate, cell: TableCell) {
  const { enabled, variant, random } = cell;
  const state = t(enabled ? 'state.on' : 'state.off');
  const result = variant === null ? state : `${state} · ${variant}`;
  return random ? t('evaluation.random', { result }) : result;
}
