import { lint } from './lint.ts';

void lint(process.argv.slice(2), {
  cwd: process.env.INIT_CWD ?? process.cwd(),
  write: text => process.stdout.write(text),
}).then(code => {
  process.exitCode = code;
});
