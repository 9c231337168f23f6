const QUANTITY =
  /^\+?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?[0-9]{1,2}))?$/;

/** The maximum length of a quantity; bounds the time of the pattern. */
const MAX_LENGTH = 64;

const MULTIPLIERS: Record<string, number> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/**
 * Parses a Kubernetes quantity such as `512Mi`, `1.5` or `500m`.
 *
 * @returns bytes or cores, or null if the text is not a non-negative quantity.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export function parseQuantity(text: string): number | null {
  if (text.length > MAX_LENGTH) {
    return null;
  }
  const match = QUANTITY.exec(text);
  if (!match) {
    return null;
  }
  const [, digits, unit, exponent] = match;
  const factor = unit ? MULTIPLIERS[unit] : 10 ** Number(exponent ?? 0);
  return Number(digits) * factor;
}
