import {
  formatBrief,
  formatNumber,
  formatPercent,
  formatSize,
} from './formatNumber';

it.each([
  [0, '0'],
  [0.54, '0.5'],
  [99.94, '99.9'],
  [100.4, '100'],
  [-1_234.5, '-1,235'],
])('formats the number %s', (value, text) => {
  expect(formatNumber(value)).toBe(text);
});

it.each([
  [0, '0%'],
  [4.14, '4.1%'],
  [25, '25%'],
  [100, '100%'],
])('formats the percentage %s', (value, text) => {
  expect(formatPercent(value)).toBe(text);
});

it.each([
  [999, '999'],
  [12_430, '12.4K'],
  [3_000_000, '3M'],
])('formats %s briefly', (value, text) => {
  expect(formatBrief(value)).toBe(text);
});

it.each([
  [0, '0 B'],
  [900, '900 B'],
  [1_536, '1.5 KiB'],
  [5 * 1_024 ** 5, '5120.0 TiB'],
])('formats %s bytes', (value, text) => {
  expect(formatSize(value)).toBe(text);
});
