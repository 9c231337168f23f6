import { Devfile } from '../../devfile/types';
import { parseQuantity } from '../../devfile/semantics/quantity';

/** What the editor itself may take beside the devfile's containers, which know nothing of it. */
const EDITOR_BYTES = 1024 ** 3;

/**
 * Memory that a workspace may take: what the devfile's containers ask for and
 * the editor's share, never more than the configured limit.
 */
export function memoryLimitOf(devfile: Devfile, maxBytes: number): number {
  const asked = devfile.components.flatMap(component =>
    component.type === 'container' && component.container.memoryLimit
      ? (parseQuantity(component.container.memoryLimit) ?? [])
      : [],
  );
  const sum = asked.reduce((total, bytes) => total + bytes, 0);
  return sum > 0 ? Math.min(sum + EDITOR_BYTES, maxBytes) : maxBytes;
}
