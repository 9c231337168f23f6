import type { DimensionReport } from '../../api/types';

/** Tells whether there is anything behind a dimension, shown or hidden. */
export function isMeasured({ samples, values }: DimensionReport): boolean {
  return (
    Object.values(samples).some(count => count > 0) ||
    Object.values(values).includes(null)
  );
}
