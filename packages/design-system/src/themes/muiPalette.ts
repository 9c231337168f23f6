import { DerivedColors } from '../tokens/derived';
import { ColorMode } from '../tokens/tokens';

/**
 * The Material UI palette of one mode, with the additions that stock
 * Backstage components read. Plain colours, because Material UI computes with
 * them.
 */
export function muiPalette(mode: ColorMode, c: DerivedColors) {
  const tone = (main: string) => ({ main, contrastText: c.onStatus });
  return {
    type: mode,
    mode,
    background: { default: c.app, paper: c.surface },
    text: { primary: c.text, secondary: c.muted, disabled: c.disabled },
    divider: c.line,
    primary: { main: c.accent, dark: c.accentHover, contrastText: c.onAccent },
    secondary: { main: c.accent, contrastText: c.onAccent },
    success: tone(c.success),
    warning: tone(c.warning),
    error: tone(c.danger),
    info: tone(c.info),
    action: { hover: c.hover, selected: c.pressed, focus: c.hover },
    status: {
      ok: c.success,
      warning: c.warning,
      error: c.danger,
      running: c.info,
      pending: c.warning,
      aborted: c.muted,
    },
    bursts: {
      fontColor: c.text,
      slackChannelText: c.muted,
      backgroundColor: { default: c.surface },
      gradient: { linear: 'none' },
    },
    banner: {
      info: c.info,
      error: c.danger,
      warning: c.warning,
      text: c.onStatus,
      link: c.onStatus,
      closeButtonColor: c.onStatus,
    },
    border: c.line,
    textContrast: c.text,
    textVerySubtle: c.control,
    textSubtle: c.muted,
    highlight: c.subtle.warning,
    errorBackground: c.subtle.danger,
    warningBackground: c.subtle.warning,
    infoBackground: c.subtle.info,
    errorText: c.danger,
    infoText: c.info,
    warningText: c.warning,
    linkHover: c.accentHover,
    link: c.accent,
    gold: c.warning,
    navigation: {
      background: c.surface,
      indicator: c.accent,
      color: c.muted,
      selectedColor: c.text,
      navItem: { hoverBackground: c.hover },
      submenu: { background: c.surface },
    },
    pinSidebarButton: { icon: c.text, background: c.hover },
    tabbar: { indicator: c.accent },
    code: { background: c.pressed },
  };
}
