import { appThemeApiRef, identityApiRef } from '@backstage/frontend-plugin-api';
import {
  RiAddLine,
  RiComputerLine,
  RiKeyboardLine,
  RiLogoutBoxRLine,
  RiMoonLine,
  RiSunLine,
} from '@remixicon/react';
import type {
  PaletteItem,
  PaletteSource,
  SourceContext,
} from '@slipway/app-react';
import { appTranslationRef } from '../../../translation';

const THEME_ICONS: Record<string, PaletteItem['icon']> = {
  light: <RiSunLine />,
  dark: <RiMoonLine />,
};

/** Lists actions on the portal itself: theme, session, help. */
export function portalSource({ api, texts }: SourceContext): PaletteSource {
  return {
    async list() {
      const t = await texts(appTranslationRef);
      const themes = api(appThemeApiRef);
      const kind = t('palette.action');
      const switchTo = (
        id: string | undefined,
        title: string,
        icon: PaletteItem['icon'],
      ): PaletteItem => ({
        id: `theme-${id ?? 'auto'}`,
        title,
        kind,
        keywords: [t('palette.themeKeywords')],
        icon,
        act: {
          type: 'run',
          async run() {
            const before = themes.getActiveThemeId();
            themes.setActiveThemeId(id);
            return {
              title: t('palette.themeChanged'),
              undo: async () => themes.setActiveThemeId(before),
            };
          },
        },
      });
      return [
        {
          id: 'register',
          title: t('palette.register'),
          kind,
          keywords: [t('palette.registerKeywords')],
          icon: <RiAddLine />,
          act: { type: 'open', href: '/catalog-import' },
        },
        {
          id: 'shortcuts',
          title: t('shortcuts.title'),
          kind,
          keywords: [t('shortcuts.keywords')],
          icon: <RiKeyboardLine />,
          act: { type: 'dialog', dialog: 'shortcuts' },
        },
        ...themes
          .getInstalledThemes()
          .map(({ id, title }) =>
            switchTo(
              id,
              t('palette.theme', { theme: title.toLocaleLowerCase() }),
              THEME_ICONS[id],
            ),
          ),
        switchTo(undefined, t('palette.themeAuto'), <RiComputerLine />),
        {
          id: 'sign-out',
          title: t('palette.signOut'),
          kind,
          keywords: [t('palette.signOutKeywords')],
          icon: <RiLogoutBoxRLine />,
          act: {
            type: 'run',
            async run() {
              await api(identityApiRef).signOut();
              return undefined;
            },
          },
        },
      ];
    },
  };
}
