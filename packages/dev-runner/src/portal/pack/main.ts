import path from 'node:path';
import { compress } from './compress.ts';
import { joinFirstLoad } from './joinFirstLoad.ts';

// Prepares the built app for browsers, after `backstage-cli package build`, in the directory that
// contains `dist`: joins its files, and compresses them once for all requests.

const dist = path.resolve('dist');
void compress(dist, joinFirstLoad(dist));
