// Storybook's manager bundle compiles JSX to `React.createElement`.
import * as React from 'react';
// The index imports style sheets, which Storybook's manager cannot load.
// eslint-disable-next-line @backstage/no-forbidden-package-imports
import { colors } from '@slipway/design-system/src/tokens/tokens.ts';
import { systemMode } from '../../systemMode.ts';
import type { TreeNode } from '../channel.ts';
import { AccessibilityTree } from './AccessibilityTree.tsx';
import {
  type Check,
  type Finding,
  VERDICT_TEXTS,
  verdictOf,
} from './Report.ts';

const c = colors[systemMode];

/**
 * Inline styles of the report. It is rendered in Storybook's manager, which loads no
 * stylesheets, as well as on documentation pages.
 */
const REPORT_STYLES = `
.slw-a11y { padding: 16px; font: 13px/1.5 'Inter Variable', system-ui, sans-serif; }
.slw-a11y h3 { margin: 16px 0 4px; font-size: 13px; font-weight: 600; }
.slw-a11y ul { margin: 0; padding: 0; list-style: none; }
.slw-a11y-verdict { display: flex; flex-wrap: wrap; gap: 0 12px; padding: 8px 12px; border: 1px solid; border-inline-start-width: 4px; border-radius: 6px; }
.slw-a11y-verdict[data-verdict='holds'] { border-color: ${c.success}; }
.slw-a11y-verdict[data-verdict='fails'], .slw-a11y-verdict[data-verdict='unchecked'] { border-color: ${c.danger}; }
.slw-a11y-verdict[data-verdict='review'] { border-color: ${c.warning}; }
.slw-a11y-verdict[data-verdict='checking'] { border-color: ${c.control}; }
.slw-a11y-counts { margin-inline-start: auto; font-variant-numeric: tabular-nums; }
.slw-a11y-hint { margin: 0; opacity: 0.8; }
.slw-a11y-findings > li { padding: 4px 0; border-bottom: 1px solid ${c.control}55; }
.slw-a11y-findings summary { cursor: pointer; }
.slw-a11y-findings small { margin-inline-start: 8px; opacity: 0.8; }
.slw-a11y-findings li li { display: flex; flex-direction: column; align-items: flex-start; padding: 4px 0; white-space: pre-line; }
.slw-a11y-findings button { padding: 0; border: 0; background: none; color: inherit; cursor: pointer; text-align: start; text-decoration: underline; }
.slw-a11y a { color: inherit; }
.slw-a11y code { font: 12px 'JetBrains Mono Variable', monospace; }
.slw-a11y-tree [role='treeitem'] { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 8px; min-height: 24px; border-radius: 4px; cursor: default; }
.slw-a11y-tree [role='treeitem']:hover { background: ${c.control}22; }
.slw-a11y-tree [role='treeitem'][aria-selected='true'] { background: ${c.accent}33; }
.slw-a11y-tree [role='treeitem']:focus-visible { outline: 2px solid ${c.accent}; outline-offset: -2px; }
.slw-a11y-tree code { padding: 0 4px; border: 1px solid ${c.control}88; border-radius: 4px; }
.slw-a11y-mark { width: 12px; }
.slw-a11y-role { font-weight: 600; }
`;

/** Shows the WCAG 2.1 AA verdict, the violations and the accessibility tree. */
export function AccessibilityReport(props: {
  check: Check;
  tree: readonly TreeNode[];
  /** Highlights the element in the story; undefined clears the highlight. */
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
            Violated: {report.violations.length} · Needs review:{' '}
            {report.incomplete.length} · Passed: {report.passes}
          </span>
        )}
      </div>
      {report && (
        <>
          <Findings
            title="Violations"
            none="No rule violations found."
            findings={report.violations}
            onPoint={onPoint}
          />
          {report.incomplete.length > 0 && (
            <Findings
              title="Needs review"
              none=""
              findings={report.incomplete}
              onPoint={onPoint}
            />
          )}
        </>
      )}
      <h3>Accessibility tree</h3>
      <p className="slw-a11y-hint">
        What assistive technology announces. Move through the tree with the
        arrow keys; the selected element is highlighted in the story.
      </p>
      <AccessibilityTree nodes={tree} onPoint={onPoint} />
    </section>
  );
}

/** Lists rules with the elements they apply to. */
function Findings(props: {
  title: string;
  /** Text for an empty list. */
  none: string;
  findings: readonly Finding[];
  onPoint(selector: string | undefined): void;
}): React.ReactElement {
  const { title, none, findings, onPoint } = props;
  return (
    <>
      <h3>{title}</h3>
      {findings.length === 0 && <p className="slw-a11y-hint">{none}</p>}
      <ul className="slw-a11y-findings">
        {findings.map(finding => (
          <li key={finding.rule}>
            <details>
              <summary>
                {finding.help}
                <small>
                  {finding.impact ?? 'undecided'}
                  {finding.isWcag ? '' : ' · good practice'} ·{' '}
                  {finding.elements.length}{' '}
                  {finding.elements.length === 1 ? 'element' : 'elements'}
                </small>
              </summary>
              <a href={finding.helpUrl} target="_blank" rel="noreferrer">
                {finding.rule}
              </a>
              <ul>
                {finding.elements.map(({ selector, summary }) => (
                  <li key={selector}>
                    <button
                      type="button"
                      onClick={() => onPoint(selector)}
                      onBlur={() => onPoint(undefined)}
                    >
                      <code>{selector}</code>
                    </button>
                    <span>{summary}</span>
                  </li>
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
    </>
  );
}
