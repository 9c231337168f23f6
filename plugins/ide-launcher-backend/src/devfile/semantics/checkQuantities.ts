import { DevfileFault, quote } from '../issue';
import { RawDevfile } from '../schema/devfile';
import { parseQuantity } from './quantity';

const LIMITS_AND_REQUESTS = [
  ['memoryLimit', 'memoryRequest'],
  ['cpuLimit', 'cpuRequest'],
] as const;

function describe(text: string): string {
  return `must be a quantity such as 512Mi or 500m, and is ${quote(text)}`;
}

/** Memory, CPU and sizes are Kubernetes quantities, and requests stay within limits. */
export function checkQuantities(devfile: RawDevfile): DevfileFault[] {
  return (devfile.components ?? []).flatMap(({ container, volume }, index) => {
    const faults: DevfileFault[] = [];
    const read = (type: string, field: string, text: string | undefined) => {
      if (text === undefined) {
        return null;
      }
      const amount = parseQuantity(text);
      if (amount === null) {
        const path = ['components', index, type, field];
        faults.push({ path, message: describe(text) });
      }
      return amount;
    };
    for (const [limitField, requestField] of LIMITS_AND_REQUESTS) {
      const limit = read('container', limitField, container?.[limitField]);
      const request = read(
        'container',
        requestField,
        container?.[requestField],
      );
      // Zero stands for "no limit".
      if (limit && request !== null && request > limit) {
        faults.push({
          path: ['components', index, 'container', requestField],
          message: `must not be larger than ${limitField}`,
        });
      }
    }
    read('volume', 'size', volume?.size);
    return faults;
  });
}
