import { tabTitle } from './tabTitle';

const tabs = [
  { id: 'overview', label: 'Overview' },
  { id: 'incidents', label: 'Incidents' },
];

it.each([
  ['overview', 'Delivery'],
  ['incidents', 'Incidents | Delivery'],
  [undefined, 'Delivery'],
])('titles the browser tab of the sub-page %s', (activeTab, title) => {
  expect(tabTitle({ title: 'Delivery', tabs, activeTab })).toBe(title);
});

it('puts the open panel first', () => {
  const page = { title: 'Delivery', tabs, activeTab: 'incidents' };
  expect(tabTitle({ ...page, panel: 'Payments time out' })).toBe(
    'Payments time out | Incidents | Delivery',
  );
});
