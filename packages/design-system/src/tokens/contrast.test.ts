import { contrastRatio, mixColors } from './contrast';
import {
  ColorMode,
  deriveColors,
  STATUS_TONES,
  TEXT_COLORS,
  tints,
} from './tokens';

describe('contrastRatio', () => {
  it('returns the extremes and the known grey of WCAG', () => {
    expect(contrastRatio('#000000', '#FFFFFF')).toBeCloseTo(21, 5);
    expect(contrastRatio('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2);
    expect(contrastRatio('#123456', '#123456')).toBe(1);
  });

  it('rejects colours without six digits', () => {
    expect(() => contrastRatio('#fff', '#000000')).toThrow('#rrggbb');
  });
});

describe.each<ColorMode>(['light', 'dark'])('the %s colours', mode => {
  const c = deriveColors(mode);
  const resting = { app: c.app, surface: c.surface, raised: c.raised };
  const tinted = Object.entries(resting).flatMap(([name, surface]) => [
    [`${name} under the pointer`, mixColors(surface, c.text, tints.hover)],
    [`${name} while pressed`, mixColors(surface, c.text, tints.pressed)],
  ]);
  const surfaces = [...Object.entries(resting), ...tinted];

  it.each(surfaces)(
    'have enough contrast for every text colour on %s',
    (_, surface) => {
      const weak = TEXT_COLORS.filter(
        name => contrastRatio(c[name], surface) < 4.5,
      );
      expect(weak).toEqual([]);
    },
  );

  it('have enough contrast for each tone on its subtle and its full background', () => {
    const pairs = [
      ...STATUS_TONES.map(tone => [c[tone], c.subtle[tone]]),
      ...STATUS_TONES.map(tone => [c.onStatus, c[tone]]),
      [c.onAccent, c.accent],
      [c.onAccent, c.accentHover],
      [c.onAccent, c.accentPressed],
      [c.accent, c.accentSubtle],
    ];
    const weak = pairs.filter(
      ([one, other]) => contrastRatio(one, other) < 4.5,
    );
    expect(weak).toEqual([]);
  });

  it('have a contrast of 3:1 for control borders, focus rings and chart lines', () => {
    const marks = [c.control, c.accent, ...c.chart];
    const weak = Object.values(resting).flatMap(surface =>
      marks.filter(mark => contrastRatio(mark, surface) < 3),
    );
    expect(weak).toEqual([]);
  });
});
