import { stateDirectory } from './layout.ts';
import { resetState } from './resetState.ts';

void resetState({
  stateDirectory,
  say: text => process.stdout.write(`${text}\n`),
}).then(exitCode => {
  process.exitCode = exitCode;
});
