// Storybook bundles its frame with JSX as calls of `React`.
import * as React from 'react';
import type { Finding } from './Report.ts';

/** Rules with the elements that they are about. */
export function Findings(props: {
  title: string;
  /** Instead of an empty list. */
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
