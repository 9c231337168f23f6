type Rgb = readonly [number, number, number];

function parseHex(color: string): Rgb {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color);
  if (!match) {
    throw new TypeError(`Expected a colour as #rrggbb, got ${color}`);
  }
  return [
    parseInt(match[1], 16),
    parseInt(match[2], 16),
    parseInt(match[3], 16),
  ];
}

/** Returns the relative luminance of an sRGB colour as defined by WCAG 2.1: 0 to 1. */
function luminance(color: string): number {
  const [r, g, b] = parseHex(color).map(channel => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Returns the contrast ratio of two `#rrggbb` colours as defined by WCAG 2.1: 1 to 21. */
export function contrastRatio(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort(
    (a, b) => a - b,
  );
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns the `#rrggbb` colour of `over` with an opacity of `amount` (0 to 1) on `base`. */
export function mixColors(base: string, over: string, amount: number): string {
  const below = parseHex(base);
  const above = parseHex(over);
  const mixed = below.map((channel, index) =>
    Math.round(channel + (above[index] - channel) * amount),
  );
  return `#${mixed.map(c => c.toString(16).padStart(2, '0')).join('')}`;
}
