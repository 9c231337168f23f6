#!/usr/bin/env node
// Replaces npm: records each call and does what FAKE_NPM specifies.
import { appendFileSync, writeFileSync } from 'node:fs';

const args = process.argv.slice(2);
appendFileSync(process.env.FAKE_NPM_LOG, `${args.join(' ')}\n`);

const failures = {
  offline: 'npm error code ENOTFOUND\nnpm error network request failed',
  full: 'npm error code ENOSPC\nnpm error syscall write',
  missing: 'npm error code E404',
};
const wish = process.env.FAKE_NPM;
if (wish in failures) {
  console.error(failures[wish]);
  process.exit(1);
}
if (wish === 'hang') {
  setInterval(() => {}, 1000);
} else if (args[0] === 'pack') {
  const folder = args[args.indexOf('--pack-destination') + 1];
  writeFileSync(`${folder}/demo-1.2.3.tgz`, 'tarball');
} else {
  console.error('npm http fetch GET 200 https://registry/a 1ms');
  console.error('npm http fetch GET 200 https://registry/b 1ms');
  writeFileSync('tool.mjs', 'console.log("demo 1.2.3");');
}
