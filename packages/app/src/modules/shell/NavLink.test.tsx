import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { NavLink } from './NavLink';

it.each([
  ['/catalog', true],
  ['/catalog/default/component/shop', true],
  ['/catalog-import', true],
  ['/catalog-graph?maxDepth=1', true],
  ['/catalogue', false],
  ['/api-docs', false],
])('is marked as current on %s: %s', (address, isCurrent) => {
  render(
    <MemoryRouter initialEntries={[address]}>
      <NavLink
        href="/catalog"
        icon={null}
        title="Catalog"
        parts={['/catalog-import', '/catalog-graph']}
      />
    </MemoryRouter>,
  );
  expect(
    screen.queryByRole('link', { name: 'Catalog', current: 'page' }) !== null,
  ).toBe(isCurrent);
});
