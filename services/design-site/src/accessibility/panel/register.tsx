// Storybook's manager bundle compiles JSX to `React.createElement`.
import * as React from 'react';
import {
  addons,
  types,
  useChannel,
  useStorybookState,
} from 'storybook/manager-api';
import { ACCESSIBILITY_PANEL } from '../../routes/pageRoutes.ts';
import {
  POINT_AT,
  STORY_LEFT,
  TREE_ASKED,
  TREE_CHANGED,
  type TreeChanged,
  type TreeNode,
} from '../channel.ts';
import { AccessibilityReport } from '../report/AccessibilityReport.tsx';
import { startChecks, useCheck } from './Checks.ts';

/** Id of the element in which Storybook renders panels. */
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

/** Panel with the accessibility check and the live accessibility tree of a story. */
function AccessibilityPanel() {
  const { storyId } = useStorybookState();
  const check = useCheck(storyId);
  const [nodes, setNodes] = React.useState<readonly TreeNode[]>([]);
  const emit = useChannel(
    {
      [TREE_CHANGED]: (change: TreeChanged) => {
        if (change.storyId === storyId) {
          setNodes(change.nodes);
        }
      },
    },
    [storyId],
  );
  React.useEffect(() => {
    setNodes([]);
    emit(TREE_ASKED);
  }, [emit, storyId]);

  return (
    <AccessibilityReport
      check={check}
      tree={nodes}
      onPoint={selector => emit(POINT_AT, selector)}
    />
  );
}
