// Storybook bundles its frame with JSX as calls of `React`.
import * as React from 'react';
import { addons, types } from 'storybook/manager-api';
import { ACCESSIBILITY_PANEL } from '../../routes/addresses.ts';
import { STORY_LEFT } from '../channel.ts';
import { AccessibilityPanel } from './AccessibilityPanel.tsx';
import { startChecks } from './useCheck.ts';

/** Storybook's own name of where panels are. */
const PANEL_ELEMENT = 'storybook-panel-root';

addons.register('slipway/accessibility', api => {
  startChecks();
  addons.add(ACCESSIBILITY_PANEL, {
    type: types.PANEL,
    title: 'WCAG 2.1 AA',
    render: ({ active }): React.ReactElement | null =>
      active ? <AccessibilityPanel /> : null,
  });
  api.on(STORY_LEFT, () => {
    api.setSelectedPanel(ACCESSIBILITY_PANEL);
    api.togglePanel(true);
    api.focusOnUIElement(PANEL_ELEMENT, { forceFocus: true, poll: true });
  });
});
