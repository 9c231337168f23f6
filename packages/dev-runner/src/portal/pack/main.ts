import path from 'node:path';
import { compress } from './compress.ts';
import { joinFirstLoad, PAGES } from './joinFirstLoad.ts';
import { preloadFont } from './preloadFont.ts';

// Prepares the built app for browsers, after `backstage-cli package build`, in the directory that
// contains `dist`: joins its files, preloads their font, and compresses them once for all requests.

const dist = path.resolve('dist');
const joined = joinFirstLoad(dist);
preloadFont(dist, PAGES);
void compress(dist, joined);
