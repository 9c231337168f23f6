import path from 'node:path';
import { compress } from './compress.ts';
import { joinFirstLoad, PAGES } from './joinFirstLoad.ts';
import { keepVisible } from './keepVisible.ts';
import { preloadFont } from './preloadFont.ts';

// Post-processes the output of `backstage-cli package build`; runs in the directory that contains
// `dist`. Joins the files of the first load, preloads the font, removes configuration schemas that the
// backend does not need, and compresses files once for all requests.

const dist = path.resolve('dist');
const joined = joinFirstLoad(dist);
preloadFont(dist, PAGES);
keepVisible(dist);
void compress(dist, joined);
