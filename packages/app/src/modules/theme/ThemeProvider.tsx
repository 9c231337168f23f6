import {
  type ReactNode,
  useLayoutEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import {
  type AppThemeApi,
  appThemeApiRef,
  useApi,
} from '@backstage/frontend-plugin-api';
import { UnifiedThemeProvider } from '@backstage/theme';
import {
  slipwayDarkTheme,
  slipwayLightTheme,
} from '@slipway/design-system/themes';
import { useObserved } from './useObserved';

/**
 * Provides the theme that is chosen, or that of the system. It is one component for both: with one
 * for each, React would mount all pages again when the theme changes, such as at sunset, and
 * forms would lose what was typed.
 */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const isDark = useIsDark(useApi(appThemeApiRef));
  useLayoutEffect(() => {
    // Scroll bars and other parts that the browser draws would otherwise follow the system.
    document
      .querySelector('meta[name="color-scheme"]')
      ?.setAttribute('content', isDark ? 'dark' : 'light');
  }, [isDark]);
  return (
    <UnifiedThemeProvider
      theme={isDark ? slipwayDarkTheme : slipwayLightTheme}
      themeName="slipway"
    >
      {children}
    </UnifiedThemeProvider>
  );
}

const SYSTEM = window.matchMedia('(prefers-color-scheme: dark)');

function followSystem(onChange: () => void): () => void {
  SYSTEM.addEventListener('change', onChange);
  return () => SYSTEM.removeEventListener('change', onChange);
}

/** Returns whether the dark theme applies, as Backstage decides it. */
function useIsDark(themes: AppThemeApi): boolean {
  const isSystemDark = useSyncExternalStore(followSystem, () => SYSTEM.matches);
  const chosen = useObserved(
    useMemo(() => themes.activeThemeId$(), [themes]),
    () => themes.getActiveThemeId(),
  );
  const theme = themes.getInstalledThemes().find(({ id }) => id === chosen);
  return theme ? theme.variant === 'dark' : isSystemDark;
}
