import path from 'node:path';
import { compress } from './compress.ts';
import { joinFirstLoad, PAGES } from './joinFirstLoad.ts';
import { keepVisible } from './keepVisible.ts';
import { preloadFont } from './preloadFont.ts';

// Prepares the built app for browsers, after `backstage-cli package build`, in the directory that
// contains `dist`: joins its files, preloads their font, compresses them once for all requests, and
// reduces the schemas of the configuration to what the backend needs of them.

const dist = path.resolve('dist');
const joined = joinFirstLoad(dist);
preloadFont(dist, PAGES);
keepVisible(dist);
void compress(dist, joined);
