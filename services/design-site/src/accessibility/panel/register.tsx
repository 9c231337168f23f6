// Storybook bundles its frame with JSX as calls of `React`.
import * as React from 'react';
import { addons, types } from 'storybook/manager-api';
import { ACCESSIBILITY_PANEL } from '../../routes/addresses.ts';
import { AccessibilityPanel } from './AccessibilityPanel.tsx';
import { startChecks } from './useCheck.ts';

addons.register('slipway/accessibility', () => {
  startChecks();
  addons.add(ACCESSIBILITY_PANEL, {
    type: types.PANEL,
    title: 'WCAG 2.1 AA',
    render: ({ active }): React.ReactElement | null =>
      active ? <AccessibilityPanel /> : null,
  });
});
