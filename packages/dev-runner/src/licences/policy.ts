/** Licences under which a dependency may come, by their SPDX identifiers. */
export const ACCEPTED_LICENCES: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
];

/** Packages that were looked at by a person, with what was found. */
export const REVIEWED_PACKAGES: Readonly<Record<string, string>> = {
  '@remixicon/react':
    'Remix Icon License 1.0: free in products, not as an icon set of its own',
  'fast-shallow-equal': 'public domain, said in its LICENSE file alone',
  pause: 'MIT, said in its Readme alone',
  'pause-stream': 'MIT or Apache-2.0, written in an old form',
  'react-universal-interface': 'public domain, said in its LICENSE file alone',
  'rollup-plugin-dts': 'LGPL-3.0, a build tool that is not shipped',
  tosource: 'zlib, said in its LICENSE file alone',
};
