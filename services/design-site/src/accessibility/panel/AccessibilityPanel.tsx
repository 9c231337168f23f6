// Storybook bundles its frame with JSX as calls of `React`.
import * as React from 'react';
import { useChannel, useStorybookState } from 'storybook/manager-api';
import {
  POINT_AT,
  TREE_ASKED,
  TREE_CHANGED,
  type TreeChanged,
} from '../channel.ts';
import { AccessibilityReport } from '../report/AccessibilityReport.tsx';
import type { TreeNode } from '../tree/TreeNode.ts';
import { useCheck } from './useCheck.ts';

/** Beside a story: what its accessibility check found, and its tree, live. */
export function AccessibilityPanel() {
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
