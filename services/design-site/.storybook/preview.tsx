import type { Preview } from '@storybook/react-vite';
import { MemoryRouter } from 'react-router-dom';
import { create } from 'storybook/theming';
import { DocsPage } from '../src/accessibility/docs/DocsPage';
import {
  applyTheme,
  letFocusLeave,
  listenToPanel,
  tellTree,
} from '../src/accessibility/preview';
import '@slipway/design-system/styles.css';
import './preview.css';

listenToPanel();
letFocusLeave();

/** The system's colour mode, which the frame of the site and the portal follow too. */
const mode = window.matchMedia('(prefers-color-scheme: dark)').matches
  ? 'dark'
  : 'light';

const preview: Preview = {
  tags: ['autodocs'],
  globalTypes: {
    theme: {
      description: 'Colour mode',
      toolbar: {
        title: 'Theme',
        icon: 'contrast',
        items: [
          { value: 'light', title: 'Light', icon: 'sun' },
          { value: 'dark', title: 'Dark', icon: 'moon' },
        ],
        dynamicTitle: true,
      },
    },
  },
  initialGlobals: { theme: mode },
  parameters: {
    layout: 'padded',
    a11y: { test: 'error' },
    backgrounds: { disable: true },
    docs: { page: DocsPage, toc: true, theme: create({ base: mode }) },
    options: {
      storySort: { order: ['Overview', 'Tokens', 'Components'] },
    },
  },
  decorators: [
    (Story, { globals }) => {
      applyTheme(globals.theme);
      return (
        <MemoryRouter>
          <Story />
        </MemoryRouter>
      );
    },
  ],
  afterEach: ({ id, viewMode }) => {
    if (viewMode === 'story') {
      tellTree(id);
    }
  },
};

export default preview;
