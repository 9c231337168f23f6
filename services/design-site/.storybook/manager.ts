import { addons } from 'storybook/manager-api';
import { create } from 'storybook/theming';
import '../src/accessibility/panel/register';
import { nameWindow, SITE_NAME } from '../src/name/nameWindow';

const isDark = window.matchMedia('(prefers-color-scheme: dark)').matches;

addons.setConfig({
  theme: create({
    base: isDark ? 'dark' : 'light',
    brandTitle: SITE_NAME,
    brandUrl: './',
    brandTarget: '_self',
    colorPrimary: isDark ? '#5AC3E2' : '#0A6583',
    colorSecondary: isDark ? '#5AC3E2' : '#0A6583',
  }),
});

nameWindow();
