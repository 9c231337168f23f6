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
  it('is of violated success criteria, not of good practice', () => {
    expect(verdictOf(results({ violations: [contrast] }))).toBe('fails');
    expect(verdictOf(results({ violations: [region] }))).toBe('holds');
  });

  it('asks for a look where axe could not decide', () => {
    expect(verdictOf(results({ incomplete: [contrast] }))).toBe('review');
    expect(verdictOf(results({ incomplete: [region] }))).toBe('holds');
  });

  it('says that it does not know yet, or could not find out', () => {
    expect(verdictOf({})).toBe('checking');
    expect(verdictOf({ error: 'axe is not defined' })).toBe('unchecked');
  });
});

describe('toReport', () => {
  it('finds elements by one selector, also inside frames and shadow roots', () => {
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
