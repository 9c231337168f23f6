// Storybook bundles its frame with JSX as calls of `React`.
import * as React from 'react';
import type { TreeNode } from '../tree/TreeNode.ts';
import { AccessibilityTree } from './AccessibilityTree.tsx';
import { Findings } from './Findings.tsx';
import { REPORT_STYLES } from './reportStyles.ts';
import { type Check, VERDICT_TEXTS, verdictOf } from './verdict.ts';

/** WCAG 2.1 AA at a glance, what violates it, and the accessibility tree. */
export function AccessibilityReport(props: {
  check: Check;
  tree: readonly TreeNode[];
  /** Shows the element in the story; undefined: none. */
  onPoint(selector: string | undefined): void;
}): React.ReactElement {
  const { check, tree, onPoint } = props;
  const verdict = verdictOf(check);
  const { title, description } = VERDICT_TEXTS[verdict];
  const { report } = check;
  return (
    <section className="slw-a11y" aria-label="Accessibility">
      <style>{REPORT_STYLES}</style>
      <div className="slw-a11y-verdict" data-verdict={verdict} role="status">
        <strong>{title}</strong>
        <span>{check.error ?? description}</span>
        {report && (
          <span className="slw-a11y-counts">
            {report.violations.length} violated · {report.incomplete.length} to
            look at · {report.passes} hold
          </span>
        )}
      </div>
      {report && (
        <>
          <Findings
            title="Violations"
            none="No rule is violated."
            findings={report.violations}
            onPoint={onPoint}
          />
          {report.incomplete.length > 0 && (
            <Findings
              title="To look at"
              none=""
              findings={report.incomplete}
              onPoint={onPoint}
            />
          )}
        </>
      )}
      <h3>Accessibility tree</h3>
      <p className="slw-a11y-hint">
        What assistive technology is told. Arrow keys walk through it; the
        element is marked in the story.
      </p>
      <AccessibilityTree nodes={tree} onPoint={onPoint} />
    </section>
  );
}
