import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { SeriesTable } from './charts/SeriesTable';
import { DataTable } from './list/DataTable';
import { Tile } from './tiles/Tile';

const { resolve } = createRequire(import.meta.url);

/** Selectors of the rules that set tabular figures. */
const TABULAR = [
  '../../styles/base.css',
  './charts/SeriesTable.css',
  './list/DataTable.css',
  './tiles/Tile.css',
].flatMap(file => {
  const style = document.createElement('style');
  style.textContent = readFileSync(resolve(file), 'utf8');
  document.head.append(style);
  const rules = [...(style.sheet?.cssRules ?? [])];
  style.remove();
  return rules
    .filter(rule => rule.cssText.includes('tabular-nums'))
    .map(rule => (rule as CSSStyleRule).selectorText);
});

/** Checks whether an element has tabular figures, set directly or inherited. */
const isTabular = (element: Element) =>
  element.closest(TABULAR.join()) !== null;

it('sets numbers in tabular figures, but not names with hyphens', () => {
  render(
    <MemoryRouter>
      <DataTable
        label="Services"
        columns={[
          { id: 'name', label: 'Name', cell: row => row.name },
          {
            id: 'runs',
            label: 'Runs',
            isNumber: true,
            cell: row => row.runs,
          },
        ]}
        rows={[{ name: 'payments-api-eu', runs: '1,117' }]}
        rowId={row => row.name}
      />
      <SeriesTable
        label="Builds by day"
        columns={{ time: 'Day', value: 'Builds', notes: 'Notes' }}
        points={[
          {
            id: '1',
            label: '2 November',
            tick: '2 Nov',
            value: 71,
            valueText: '71',
            notes: ['nightly-build'],
            href: '/',
          },
        ]}
      />
      <Tile label="front-door" value="11" />
      <time>11:17</time>
    </MemoryRouter>,
  );
  const shown = (texts: string[]) =>
    texts.filter(text => isTabular(screen.getByText(text)));
  const figures = ['1,117', '71', '11', '11:17'];
  expect(shown(figures)).toEqual(figures);
  expect(shown(['payments-api-eu', 'nightly-build', 'front-door'])).toEqual([]);
});
