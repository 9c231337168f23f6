import type { FieldName } from '../api/types';
import type { Translate } from '../translation';
import { FIELD } from './fields';

/** What a number rests on: "12 answers"; undefined where the number says so itself. */
export function samplesText(
  t: Translate,
  name: FieldName,
  count: number,
): string | undefined {
  const { basis } = FIELD[name];
  return basis && t(`samples.${basis}`, { count });
}
