import { colors } from '../tokens/tokens';
import { slipwayDarkTheme, slipwayLightTheme } from './themes';

describe.each([
  ['light', slipwayLightTheme],
  ['dark', slipwayDarkTheme],
] as const)('the %s Material UI theme', (mode, theme) => {
  it.each(['v4', 'v5'] as const)('uses the tokens for its %s palette', v => {
    const { palette } = theme.getTheme(v) ?? {};
    expect(palette?.background.default).toBe(colors[mode].app);
    expect(palette?.primary.main).toBe(colors[mode].accent);
  });

  it('gives every page a header without gradient', () => {
    const v4 = theme.getTheme('v4') as unknown as {
      getPageTheme(selector: { themeId: string }): { backgroundImage: string };
    };
    for (const themeId of ['home', 'service', 'unheard-of']) {
      expect(v4.getPageTheme({ themeId }).backgroundImage).toBe('none');
    }
  });
});
