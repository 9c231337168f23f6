import { contrastRatio, mixColors } from './contrast';
import { STATUS_TONES, deriveColors } from './derived';
import { ColorMode, tints } from './tokens';

describe('contrastRatio', () => {
  it('agrees with the extremes and the known grey of WCAG', () => {
    expect(contrastRatio('#000000', '#FFFFFF')).toBeCloseTo(21, 5);
    expect(contrastRatio('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2);
    expect(contrastRatio('#123456', '#123456')).toBe(1);
  });

  it('refuses what is not a colour of six digits', () => {
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
  const texts = {
    text: c.text,
    muted: c.muted,
    accent: c.accent,
    success: c.success,
    warning: c.warning,
    danger: c.danger,
    info: c.info,
  };

  it.each(surfaces)('carry every text colour on %s', (_, surface) => {
    for (const [name, color] of Object.entries(texts)) {
      expect(
        contrastRatio(color, surface),
        `${name} on ${surface}`,
      ).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('carry each tone on its quiet fill and on its full fill', () => {
    for (const tone of STATUS_TONES) {
      expect(
        contrastRatio(c[tone], c.subtle[tone]),
        tone,
      ).toBeGreaterThanOrEqual(4.5);
      expect(contrastRatio(c.onStatus, c[tone]), tone).toBeGreaterThanOrEqual(
        4.5,
      );
    }
    for (const fill of [c.accent, c.accentHover, c.accentPressed]) {
      expect(contrastRatio(c.onAccent, fill), fill).toBeGreaterThanOrEqual(4.5);
    }
    expect(contrastRatio(c.accent, c.accentSubtle)).toBeGreaterThanOrEqual(4.5);
  });

  it('set control borders, focus rings and chart lines off at 3:1', () => {
    for (const surface of Object.values(resting)) {
      for (const mark of [c.control, c.accent, ...c.chart]) {
        expect(
          contrastRatio(mark, surface),
          `${mark} on ${surface}`,
        ).toBeGreaterThanOrEqual(3);
      }
    }
  });
});
