import { DevfileFault, DevfilePath } from '../issue';
import { LIMITS } from './limits';

/**
 * Checks how large a value is once every alias is replaced: what is shared is
 * counted as often as it is reached. Ends early on values that contain
 * themselves.
 *
 * @returns The first fault, or null.
 */
export function checkValue(root: unknown): DevfileFault | null {
  let nodes = 0;
  let characters = 0;

  const visit = (value: unknown, path: DevfilePath): DevfileFault | null => {
    nodes += 1;
    if (typeof value === 'string') {
      characters += value.length;
    }
    if (nodes > LIMITS.nodes || characters > LIMITS.characters) {
      return { path: [], message: 'the file has too many elements' };
    }
    if (typeof value !== 'object' || value === null) {
      return null;
    }
    if (path.length >= LIMITS.depth) {
      return { path: [], message: 'the file is nested too deeply' };
    }
    const entries = Array.isArray(value)
      ? value.entries()
      : Object.entries(value);
    for (const [key, child] of entries) {
      const fault = visit(child, [...path, key]);
      if (fault) {
        return fault;
      }
    }
    return null;
  };

  return visit(root, []);
}
