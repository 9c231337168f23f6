import { hideEnvironment } from '../hideEnvironment.ts';

/** Runs the command given as first argument. @returns the exit code. */
async function run(args: readonly string[]): Promise<number> {
  const context = {
    cwd: process.env.INIT_CWD ?? process.cwd(),
    write: (text: string) => process.stdout.write(text),
  };
  if (args[0] === 'agent') {
    // Steps must not read its enrolment token, and it may re-execute this program.
    hideEnvironment();
    const { agent } = await import('./agent.ts');
    return agent(args.slice(1), context);
  }
  const { lint } = await import('./lint.ts');
  return lint(args, context);
}

void run(process.argv.slice(2)).then(
  code => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  },
);
