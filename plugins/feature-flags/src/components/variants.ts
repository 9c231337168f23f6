import type { Variant } from '../api/flags';

/** The sum of the weights of variants. */
const WHOLE = 1_000;

/**
 * Distributes the weight that fixed variants leave equally among the others, so that the sum is 1,000.
 * Fixed weights do not change.
 */
export function withSharedWeights(variants: readonly Variant[]): Variant[] {
  const isFixed = ({ weightType }: Variant) => weightType === 'fix';
  const fixed = variants
    .filter(isFixed)
    .reduce((sum, { weight }) => sum + weight, 0);
  const others = variants.filter(each => !isFixed(each)).length;
  const rest = Math.max(0, WHOLE - fixed);
  const share = Math.floor(rest / Math.max(1, others));
  // The remainder goes to the first ones.
  let remainder = rest - share * others;
  return variants.map(variant => {
    if (isFixed(variant)) {
      return variant;
    }
    const weight = share + (remainder > 0 ? 1 : 0);
    remainder -= 1;
    return { ...variant, weight };
  });
}

/** Adds a variant with a unique name. */
export function withAnother(variants: readonly Variant[]): Variant[] {
  const names = new Set(variants.map(({ name }) => name));
  let number = variants.length + 1;
  while (names.has(`variant-${number}`)) {
    number += 1;
  }
  const stickiness = variants[0]?.stickiness ?? 'default';
  return withSharedWeights([
    ...variants,
    {
      name: `variant-${number}`,
      weight: 0,
      weightType: 'variable',
      stickiness,
    },
  ]);
}

/** Removes spaces around values, and empty overrides, before variants are saved. */
export function trimmedVariants(variants: readonly Variant[]): Variant[] {
  return variants.map(({ overrides, ...variant }) => {
    const filled = overrides
      ?.map(({ contextName, values }) => ({
        contextName,
        values: values.map(value => value.trim()).filter(Boolean),
      }))
      .filter(({ values }) => values.length > 0);
    return { ...variant, ...(filled?.length && { overrides: filled }) };
  });
}

/** Describes all fields of a variant in one line, e.g. `red 50% fixed, string "sky"`. */
export function variantDetails(variant: Variant): string {
  const { name, weight, weightType, stickiness, payload } = variant;
  const { overrides = [] } = variant;
  return [
    `${name} ${weight / 10}%${weightType === 'fix' ? ' fixed' : ''}`,
    payload && `${payload.type} "${payload.value ?? ''}"`,
    stickiness && stickiness !== 'default' && `by ${stickiness}`,
    ...overrides.map(
      ({ contextName, values }) => `${contextName} in ${values.join(', ')}`,
    ),
  ]
    .filter(Boolean)
    .join(', ');
}

/** Returns the sum of the shares in percent; 100 unless fixed weights are invalid. */
export function totalPercent(variants: readonly Variant[]): number {
  return variants.reduce((sum, { weight }) => sum + weight, 0) / 10;
}
