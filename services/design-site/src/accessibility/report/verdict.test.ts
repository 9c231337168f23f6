import type { AxeResults, Result } from 'axe-core';
import { toReport, verdictOf } from './Report';

const result = (id: string, tags: string[]): Result => ({
  id,
  tags,
  impact: 'serious' as const,
  description: '',
  help: `${id} must hold`,
  helpUrl: `https://example.test/${id}`,
  nodes: [
    {
      target: ['#frame', ['#host', 'button']],
      failureSummary: 'Fix this',
      html: '<button></button>',
      any: [],
      all: [],
      none: [],
    },
  ],
});
const contrast = result('color-contrast', ['cat.color', 'wcag2aa', 'wcag143']);
const region = result('region', ['cat.keyboard', 'best-practice']);
const results = (parts: Partial<AxeResults>) => ({
  report: toReport({ violations: [], incomplete: [], passes: [], ...parts }),
});

describe('verdictOf', () => {
  it('counts violated success criteria, not best practices', () => {
    expect(verdictOf(results({ violations: [contrast] }))).toBe('fails');
    expect(verdictOf(results({ violations: [region] }))).toBe('holds');
  });

  it('needs review if axe could not decide', () => {
    expect(verdictOf(results({ incomplete: [contrast] }))).toBe('review');
    expect(verdictOf(results({ incomplete: [region] }))).toBe('holds');
  });

  it('distinguishes a running check from a failed one', () => {
    expect(verdictOf({})).toBe('checking');
    expect(verdictOf({ error: 'axe is not defined' })).toBe('unchecked');
  });
});

describe('toReport', () => {
  it('joins the selectors of elements inside iframes and shadow roots', () => {
    const { report } = results({ violations: [contrast] });

    expect(report.violations).toEqual([
      {
        rule: 'color-contrast',
        impact: 'serious',
        help: 'color-contrast must hold',
        helpUrl: 'https://example.test/color-contrast',
        isWcag: true,
        elements: [{ selector: '#frame #host button', summary: 'Fix this' }],
      },
    ]);
  });
});
